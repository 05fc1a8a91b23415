import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { saveFile } from '#dashboard/lists/save-file.ts';
import { failuresFile, rowsOf } from './outcome-rows.ts';
import { OutcomeTable } from './outcome-table.tsx';
import { ResumeRun, RunProgress, UndoRun } from './run-progress.tsx';
import type { BulkWork, Run } from './use-bulk-run.ts';
import type { People } from './use-people.ts';

const labels = { changed: 'Changed', unchanged: 'Already in this state', failed: 'Failed', waiting: 'Not sent' };

export interface BulkResultProps {
  readonly run: Run<BulkWork>;
  readonly people: People;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onAgain: () => void;
}

/** The progress of a bulk change, the outcome for each user, and what to do next. */
export function BulkResult({ run, people, onStop, onResume, onAgain }: BulkResultProps) {
  const { work, outcomes, bulkId } = run;
  const users = people.users.filter(({ userId }) => work.userIds.includes(userId));
  const rows = rowsOf(users, people.unrecognized, outcomes);
  const hasFailures = rows.some(({ kind }) => kind === 'failed' || kind === 'waiting');
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      <ResumeRun run={run} onClick={onResume} />
      <UndoRun run={run} appId={work.setting.appId} />
      <Button
        disabled={!hasFailures}
        disabledReason="Nothing failed."
        onClick={() =>
          saveFile(`failed-${bulkId}.csv`, new Blob([failuresFile(rows)], { type: 'text/csv;charset=utf-8' }))
        }
      >
        Download failures
      </Button>
      <Button onClick={onAgain}>Start another bulk change</Button>
    </SpaceBetween>
  );
  return (
    <SpaceBetween size="l">
      <RunProgress run={run} done="Changed" onStop={onStop} actions={actions} />
      <OutcomeTable title="Outcomes" rows={rows} labels={labels} />
    </SpaceBetween>
  );
}
