import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Plot } from '#dashboard/lists/plot.tsx';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { countOf } from '#shared/contract/wording.ts';
import { type OverviewView, overviewDays } from '../contract/overview.ts';

type Day = OverviewView['days'][number];

const dayMilliseconds = 86_400_000;

/** The parts of a bar, from below, and what the legend calls them. */
const parts = [
  { kind: 'block', label: 'Blocks', of: ({ blocks }: Day) => blocks },
  { kind: 'unblock', label: 'Unblocks', of: ({ unblocks }: Day) => unblocks },
  { kind: 'other', label: 'Other changes', of: ({ changes, blocks, unblocks }: Day) => changes - blocks - unblocks },
] as const;

/** The changes of the last days as bars that lead to the history, and as a table. */
export function ChangesChart({ days }: Pick<OverviewView, 'days'>) {
  const all = allDays(days, Date.now());
  const sum = (of: (day: Day) => number) => all.reduce((total, day) => total + of(day), 0);
  const [changes, blocks, unblocks] = [sum((day) => day.changes), sum((day) => day.blocks), sum((day) => day.unblocks)];
  const [shown, show] = useState<Day>();
  return (
    <SpaceBetween size="s">
      <Box>
        {`${countOf(changes, 'change')} in ${overviewDays} days (UTC): ${countOf(blocks, 'block')}, ${countOf(unblocks, 'unblock')}.`}
      </Box>
      <Plot title="Changes of a day" most={mostOf(all)} along={[all.at(0)?.date ?? '', all.at(-1)?.date ?? '']}>
        <Bars days={all} onShow={show} />
      </Plot>
      <div className="legend">
        {parts.map(({ kind, label }) => (
          <span key={kind}>
            <span className={`swatch ${kind}`} /> {label}
          </span>
        ))}
        <span className="shown-day">
          {shown === undefined ? 'Point at a day, or use the arrow keys.' : describe(shown)}
        </span>
      </div>
      <ExpandableSection headerText="Changes by day">
        <DayTable days={all.toReversed().filter((day) => day.changes > 0)} />
      </ExpandableSection>
    </SpaceBetween>
  );
}

function describe({ date, changes, blocks, unblocks }: Day): string {
  return `${date}: ${countOf(changes, 'change')}, ${countOf(blocks, 'block')}, ${countOf(unblocks, 'unblock')}`;
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

interface BarsProps {
  readonly days: readonly Day[];
  /** Called with the day whose numbers to show; undefined for none. */
  readonly onShow: (day: Day | undefined) => void;
}

/** A link for each day. Tab reaches one of them, and the arrow keys the others. */
function Bars({ days, onShow }: BarsProps) {
  const navigate = useNavigate();
  const [at, moveTo] = useState(days.length - 1);
  const most = mostOf(days);
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -days.length,
      End: days.length,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(days.length - 1, Math.max(0, at + step));
    moveTo(next);
    event.currentTarget.querySelectorAll('a')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      className="bars"
      role="group"
      aria-label="Changes of each day; the arrow keys move between days"
      onKeyDown={press}
    >
      {days.map((day, place) => (
        <a
          key={day.date}
          href={dayPath(day.date)}
          tabIndex={place === at ? 0 : -1}
          aria-label={describe(day)}
          onFocus={() => {
            moveTo(place);
            onShow(day);
          }}
          onBlur={() => onShow(undefined)}
          onMouseEnter={() => onShow(day)}
          onMouseLeave={() => onShow(undefined)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            navigate(dayPath(day.date));
          }}
        >
          {parts.map(({ kind, of }) => of(day) > 0 && <Part key={kind} kind={kind} share={of(day) / most} />)}
        </a>
      ))}
    </div>
  );
}

/** At least as high as to be seen. */
function Part({ kind, share }: { readonly kind: string; readonly share: number }) {
  return <span className={kind} style={{ blockSize: `max(3px, ${share * 100}%)` }} />;
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
