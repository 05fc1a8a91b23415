import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { saveFile } from '../lists/save-file.ts';
import { bulkPath } from '../shell/route-link.tsx';
import { failuresFile, rowsOf } from './outcome-rows.ts';
import { OutcomeTable } from './outcome-table.tsx';
import type { BulkRun } from './use-bulk-run.ts';
import type { People } from './use-people.ts';

const labels = { changed: 'Changed', unchanged: 'Was so already', failed: 'Failed', waiting: 'Not sent' };

export interface BulkResultProps {
  readonly run: BulkRun;
  readonly people: People;
  readonly isRunning: boolean;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

/** How far a bulk is, the outcome for each user, and what can be done about it. */
export function BulkResult({ run, people, isRunning, onStop, onAgain }: BulkResultProps) {
  const navigate = useNavigate();
  const { userIds, outcomes, bulkId, setting } = run;
  const users = people.users.filter(({ userId }) => userIds.includes(userId));
  const rows = rowsOf(users, people.unclear, outcomes);
  const hasFailures = rows.some(({ kind }) => kind === 'failed' || kind === 'waiting');
  const changed = outcomes.filter(({ outcome }) => outcome === 'changed').length;
  const done = `${outcomes.length.toLocaleString('en')} of ${userIds.length.toLocaleString('en')} users`;
  const result = useRef<HTMLDivElement>(null);
  // The button that began the bulk is gone.
  useEffect(() => result.current?.focus(), []);
  return (
    <SpaceBetween size="l">
      <div ref={result} tabIndex={-1}>
        <Container>
          <SpaceBetween size="m">
            <ProgressBar
              value={Math.floor((outcomes.length / Math.max(1, userIds.length)) * 100)}
              label={isRunning ? 'Changing' : 'Ended'}
              additionalInfo={done}
              description={run.state === 'stopping' ? 'Stopping after what is under way…' : undefined}
            />
            <span role="status">
              {isRunning ? '' : `${changed.toLocaleString('en')} ${changed === 1 ? 'user was' : 'users were'} changed.`}
            </span>
            {isRunning ? (
              <Button disabled={run.state === 'stopping'} onClick={onStop}>
                Stop
              </Button>
            ) : (
              <SpaceBetween direction="horizontal" size="xs">
                <Button disabled={changed === 0} onClick={() => navigate(bulkPath(bulkId, setting.appId))}>
                  Undo…
                </Button>
                <Button
                  disabled={!hasFailures}
                  onClick={() =>
                    saveFile(`failed-${bulkId}.csv`, new Blob([failuresFile(rows)], { type: 'text/csv;charset=utf-8' }))
                  }
                >
                  Download what failed
                </Button>
                <Button onClick={onAgain}>Other users</Button>
              </SpaceBetween>
            )}
          </SpaceBetween>
        </Container>
      </div>
      <OutcomeTable title="Outcomes" rows={rows} labels={labels} />
    </SpaceBetween>
  );
}
