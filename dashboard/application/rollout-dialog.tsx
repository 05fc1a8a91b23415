import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import type { RolloutTally } from '#shared/contract/rollout-tally.ts';
import { countOf } from '#shared/contract/wording.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Spinner } from '../lists/query-status.tsx';
import { useOperator } from '../session/use-operator.ts';
import type { ApplicationUpdate } from './use-application-update.ts';
import { useRolloutTally } from './use-rollout-tally.ts';

export interface RolloutDialogProps {
  readonly application: ApplicationView;
  readonly to: number;
  readonly change: ApplicationUpdate;
  readonly onClose: () => void;
}

/** Asks before users lose access, with their number, and why the rollout is changed. */
export default function RolloutDialog({ application, to, change, onClose }: RolloutDialogProps) {
  const { appId, name, rolloutPercent: from, requireReason } = application;
  const [why, setWhy] = useState(noReason);
  const { needsReason } = useOperator();
  const isRequired = needsReason(requireReason);
  const isLowered = to < from;
  const { data: tally, error, isFetching } = useRolloutTally(appId, { isNeeded: isLowered });
  const verb = isLowered ? 'Lower' : 'Raise';
  const share = Math.round((from - to) * 100) / 100;
  return (
    <FormDialog
      title={`${verb} the rollout of ${name}`}
      verb={`${verb} to ${to}%`}
      isPending={change.isPending}
      error={change.error}
      missing={missingReason(why, isRequired) ?? (isLowered && isFetching ? 'Counting users…' : undefined)}
      onSubmit={() => change.mutate({ rolloutPercent: to, ...reasonBody(why) })}
      onClose={onClose}
    >
      {isLowered ? (
        <Alert type="warning">
          {isFetching && <Spinner of="all users" />}
          {tally !== undefined && <Exclusion tally={tally} from={from} to={to} />}
          {error !== null && `The users could not be counted: about ${share}% of those without a setting lose access.`}
          <Box>If you raise the percentage again, the same users regain access.</Box>
        </Alert>
      ) : (
        <Box>
          From {from}% to {to}%. This only adds users.
        </Box>
      )}
      <ProblemAlert error={error} />
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}

interface ExclusionProps {
  readonly tally: RolloutTally;
  readonly from: number;
  readonly to: number;
}

function Exclusion({ tally, from, to }: ExclusionProps) {
  const excluded = (tally.admitted(from) - tally.admitted(to)).toLocaleString('en');
  const all = countOf(tally.admitted(fullRollout), 'active user');
  return (
    <Box>
      Lowering it from {from}% to {to}%{' '}
      <strong>
        shuts out {excluded} of {all}
      </strong>{' '}
      without a setting of their own, immediately.
    </Box>
  );
}
