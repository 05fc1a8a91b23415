import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { countOf } from '#shared/contract/wording.ts';
import { saveFile } from '../lists/save-file.ts';
import { undoBulkPath } from '../shell/route-link.tsx';
import { failuresFile, rowsOf } from './outcome-rows.ts';
import { OutcomeTable } from './outcome-table.tsx';
import type { BulkRun } from './use-bulk-run.ts';
import type { People } from './use-people.ts';

const labels = { changed: 'Changed', unchanged: 'Already in this state', failed: 'Failed', waiting: 'Not sent' };

export interface BulkResultProps {
  readonly run: BulkRun;
  readonly people: People;
  readonly isRunning: boolean;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

/** The progress of a bulk change, the outcome for each user, and what to do next. */
export function BulkResult({ run, people, isRunning, onStop, onAgain }: BulkResultProps) {
  const navigate = useNavigate();
  const { userIds, outcomes, bulkId, setting } = run;
  const users = people.users.filter(({ userId }) => userIds.includes(userId));
  const rows = rowsOf(users, people.unrecognized, outcomes);
  const hasFailures = rows.some(({ kind }) => kind === 'failed' || kind === 'waiting');
  const changed = outcomes.filter(({ outcome }) => outcome === 'changed').length;
  const done = `${outcomes.length.toLocaleString('en')} of ${countOf(userIds.length, 'user')}`;
  const isComplete = outcomes.length === userIds.length;
  const result = useRef<HTMLDivElement>(null);
  // The button that started the bulk change is gone.
  useEffect(() => result.current?.focus(), []);
  return (
    <SpaceBetween size="l">
      <div ref={result} tabIndex={-1}>
        <Container>
          <SpaceBetween size="m">
            <ProgressBar
              value={Math.floor((outcomes.length / Math.max(1, userIds.length)) * 100)}
              label="Progress"
              status={isRunning ? 'in-progress' : isComplete ? 'success' : 'error'}
              resultText={isComplete ? 'Completed' : 'Stopped'}
              additionalInfo={done}
              description={run.state === 'stopping' ? 'Stopping after the requests in progress…' : undefined}
            />
            <span role="status">{isRunning ? '' : `Changed ${countOf(changed, 'user')}.`}</span>
            {isRunning ? (
              <Button disabled={run.state === 'stopping'} onClick={onStop}>
                Stop
              </Button>
            ) : (
              <SpaceBetween direction="horizontal" size="xs">
                <Button disabled={changed === 0} onClick={() => navigate(undoBulkPath(bulkId, setting.appId))}>
                  Undo…
                </Button>
                <Button
                  disabled={!hasFailures}
                  onClick={() =>
                    saveFile(`failed-${bulkId}.csv`, new Blob([failuresFile(rows)], { type: 'text/csv;charset=utf-8' }))
                  }
                >
                  Download failures
                </Button>
                <Button onClick={onAgain}>Start another bulk change</Button>
              </SpaceBetween>
            )}
          </SpaceBetween>
        </Container>
      </div>
      <OutcomeTable title="Outcomes" rows={rows} labels={labels} />
    </SpaceBetween>
  );
}
