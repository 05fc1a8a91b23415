import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { countOf } from '#shared/contract/wording.ts';
import { undoBulkPath } from '../shell/route-link.tsx';
import type { Run } from './use-bulk-run.ts';

export interface RunProgressProps {
  readonly run: Run<unknown>;
  /** What the run has done to the users, such as `Changed`. */
  readonly done: string;
  /** The application that is changed, if it is only one. */
  readonly appId?: string;
  readonly onStop: () => void;
  /** The buttons beside Undo, once the run has ended. */
  readonly actions: ReactNode;
  /** Shown below, once the run has ended. */
  readonly note?: ReactNode;
}

/** The progress of a run, with a button to stop it, and what to do once it has ended. */
export function RunProgress({ run, done, appId, onStop, actions, note }: RunProgressProps) {
  const navigate = useNavigate();
  const { bulkId, total, outcomes, state } = run;
  const isRunning = state !== 'ended';
  const isComplete = outcomes.length === total;
  const changed = changedIn(run);
  const result = useRef<HTMLDivElement>(null);
  // The button that started the run is gone.
  useEffect(() => result.current?.focus(), []);
  return (
    <div ref={result} tabIndex={-1}>
      <Container>
        <SpaceBetween size="m">
          <ProgressBar
            value={Math.floor((outcomes.length / Math.max(1, total)) * 100)}
            label="Progress"
            status={isRunning ? 'in-progress' : isComplete ? 'success' : 'error'}
            resultText={isComplete ? 'Completed' : 'Stopped'}
            additionalInfo={`${outcomes.length.toLocaleString('en')} of ${countOf(total, 'user')}`}
            description={state === 'stopping' ? 'Stopping after the requests in progress…' : undefined}
          />
          <span role="status">{isRunning ? '' : `${done} ${countOf(changed, 'user')}.`}</span>
          {isRunning ? (
            <Button disabled={state === 'stopping'} onClick={onStop}>
              Stop
            </Button>
          ) : (
            <SpaceBetween direction="horizontal" size="xs">
              <Button disabled={changed === 0} onClick={() => navigate(undoBulkPath(bulkId, appId))}>
                Undo…
              </Button>
              {actions}
            </SpaceBetween>
          )}
          {!isRunning && note}
        </SpaceBetween>
      </Container>
    </div>
  );
}

/** How many users a run has changed so far. */
export function changedIn({ outcomes }: Run<unknown>): number {
  return outcomes.filter(({ outcome }) => outcome === 'changed').length;
}
