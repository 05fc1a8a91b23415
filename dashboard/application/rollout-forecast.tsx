import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { fullRollout } from '#shared/contract/rollout.ts';
import type { RolloutTally } from '#shared/contract/rollout-tally.ts';
import { countOf } from '#shared/contract/wording.ts';
import { Plot } from '../lists/plot.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useRolloutTally } from './use-rollout-tally.ts';

export interface RolloutForecastProps {
  readonly appId: string;
  readonly from: number;
  /** The percentage that is entered; undefined while it is not one. */
  readonly to: number | undefined;
}

const steps = Array.from({ length: 11 }, (_, n) => n * 10);

/** Counts all users on request, and then says for any percentage how many people it adds or shuts out before it is saved. */
export default function RolloutForecast({ appId, from, to }: RolloutForecastProps) {
  const { data, error, isFetching, refetch } = useRolloutTally(appId, { isNeeded: false });
  return (
    <SpaceBetween size="s">
      <Button loading={isFetching} loadingText="Counting users" onClick={() => refetch()}>
        {data === undefined ? 'Count users' : 'Count users again'}
      </Button>
      <ProblemAlert error={error} />
      {data !== undefined && (
        <SpaceBetween size="xs">
          {to !== undefined && <div aria-live="polite">{effectOf(data, from, to)}</div>}
          <Curve tally={data} from={from} to={to ?? from} />
          <ExpandableSection headerText="Users by percentage">
            <Steps tally={data} />
          </ExpandableSection>
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

function effectOf(tally: RolloutTally, from: number, to: number): string {
  const [all, admitted] = [tally.admitted(fullRollout), tally.admitted(to)];
  const difference = admitted - tally.admitted(from);
  const of = `${admitted.toLocaleString('en')} of ${countOf(all, 'active user')} without a setting of their own`;
  if (to === from) return `${to}% allows ${of}.`;
  const verb = difference < 0 ? 'shuts out' : 'adds';
  return `${to}% ${verb} ${countOf(Math.abs(difference), 'user')}: it allows ${of}.`;
}

/** How many users each percentage allows, with the saved percentage and the entered one. */
function Curve({ tally, from, to }: { readonly tally: RolloutTally; readonly from: number; readonly to: number }) {
  const all = Math.max(1, tally.admitted(fullRollout));
  const heightOf = (percent: number) => 100 - (100 * tally.admitted(percent)) / all;
  const points = Array.from({ length: fullRollout + 1 }, (_, percent) => `${percent * 3},${heightOf(percent)}`);
  const allows = (percent: number) => `${percent}% allows ${countOf(tally.admitted(percent), 'user')}`;
  return (
    <div>
      <Plot title="Users allowed" most={tally.admitted(fullRollout)} along={quarters} maxWidth={520}>
        <svg viewBox="-4 -4 308 108" width="100%" aria-hidden="true" fill="none">
          <path d="M0 0V100H300" stroke="currentColor" strokeOpacity={0.5} />
          <polyline points={points.join(' ')} stroke="currentColor" strokeWidth={2} />
          <path d={`M${to * 3} 0V100`} stroke="currentColor" strokeDasharray="4 3" />
          <circle cx={from * 3} cy={heightOf(from)} r={4} fill="currentColor" />
        </svg>
      </Plot>
      <Box variant="small" display="block" color="text-body-secondary">
        {`Dot: saved, ${allows(from)}. `}
        {to !== from && `Dashed line: entered, ${allows(to)}.`}
      </Box>
    </div>
  );
}

const quarters = ['0%', '25%', '50%', '75%', '100%'];

function Steps({ tally }: { readonly tally: RolloutTally }) {
  return (
    <table aria-label="Users by percentage" cellPadding={4}>
      <thead>
        <tr>
          <th scope="col">Percentage</th>
          <th scope="col">Users allowed</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((percent) => (
          <tr key={percent}>
            <td>{percent}%</td>
            <td>
              <Box textAlign="right">{tally.admitted(percent).toLocaleString('en')}</Box>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
