import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Plot } from '#dashboard/lists/plot.tsx';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { countOf } from '#shared/contract/wording.ts';
import { type OverviewView, overviewDays } from '../contract/overview.ts';

type Day = OverviewView['days'][number];

const dayMilliseconds = 86_400_000;
const [height, gap] = [120, 2];
const width = 600;

/** The changes of the last days as bars, with blocks and unblocks, and as a table whose rows lead to the history. */
export function ChangesChart({ days }: Pick<OverviewView, 'days'>) {
  const all = allDays(days, Date.now());
  const sum = (of: (day: Day) => number) => all.reduce((total, day) => total + of(day), 0);
  const [changes, blocks, unblocks] = [sum((day) => day.changes), sum((day) => day.blocks), sum((day) => day.unblocks)];
  return (
    <SpaceBetween size="s">
      <Box>
        {`${countOf(changes, 'change')} in ${overviewDays} days (UTC): ${countOf(blocks, 'block')}, ${countOf(unblocks, 'unblock')}.`}
      </Box>
      <Plot title="Changes of a day" most={mostOf(all)} along={[all.at(0)?.date ?? '', all.at(-1)?.date ?? '']}>
        <Bars days={all} />
      </Plot>
      <Box variant="small" color="text-body-secondary">
        Faint: all changes. Strong: blocks, with unblocks above them.
      </Box>
      <ExpandableSection headerText="Changes by day">
        <DayTable days={all.toReversed().filter((day) => day.changes > 0)} />
      </ExpandableSection>
    </SpaceBetween>
  );
}

/** With the days that had no changes, the oldest first. */
function allDays(days: readonly Day[], now: number): Day[] {
  const known = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: overviewDays }, (_, place) => {
    const date = new Date(now - (overviewDays - 1 - place) * dayMilliseconds).toISOString().slice(0, 10);
    return known.get(date) ?? { date, changes: 0, blocks: 0, unblocks: 0 };
  });
}

/** The most changes of a day. */
function mostOf(days: readonly Day[]): number {
  return Math.max(1, ...days.map((day) => day.changes));
}

function Bars({ days }: { readonly days: readonly Day[] }) {
  const most = mostOf(days);
  const step = width / days.length;
  const scale = (count: number) => (count / most) * height;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} preserveAspectRatio="none" aria-hidden="true">
      {days.map(({ date, changes, blocks, unblocks }, place) => {
        const bar = { x: place * step + gap / 2, width: step - gap, fill: 'currentColor' };
        const [all, blocked, ended] = [changes, blocks, unblocks].map(scale) as [number, number, number];
        return (
          <g key={date}>
            <rect {...bar} y={height - all} height={all} opacity={0.25} />
            <rect {...bar} y={height - blocked} height={blocked} />
            <rect {...bar} y={height - blocked - ended} height={ended} opacity={0.6} />
          </g>
        );
      })}
      <line x1={0} x2={width} y1={height} y2={height} stroke="currentColor" opacity={0.4} />
    </svg>
  );
}

function DayTable({ days }: { readonly days: readonly Day[] }) {
  if (days.length === 0) return <Box>No changes.</Box>;
  return (
    <table aria-label="Changes by day" cellPadding={4}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Changes</th>
          <th scope="col">Blocks</th>
          <th scope="col">Unblocks</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, changes, blocks, unblocks }) => (
          <tr key={date}>
            <td>
              <RouteLink to={dayPath(date)}>{date}</RouteLink>
            </td>
            <td>{changes.toLocaleString('en')}</td>
            <td>{blocks.toLocaleString('en')}</td>
            <td>{unblocks.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dayPath(date: string): string {
  return `/history?${new URLSearchParams({ range: 'custom', from: date, to: date })}`;
}
