import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { LeaveModal } from '#dashboard/forms/leave-question.tsx';
import { useLeaving } from '#dashboard/shell/browser-history.tsx';
import { countOf } from '#shared/contract/wording.ts';
import { undoBulkPath } from './bulk-paths.ts';
import { undoAtOnce } from './undo-at-once.ts';
import { isAnswered, type Run } from './use-bulk-run.ts';

export interface RunProgressProps {
  readonly run: Run<unknown>;
  /** What the run has done to the users, such as `Changed`. */
  readonly done: string;
  /** What has an outcome each. Default: a user. */
  readonly noun?: string;
  readonly onStop: () => void;
  /** The buttons once the run has ended. */
  readonly actions: ReactNode;
  /** Shown below, once the run has ended. */
  readonly note?: ReactNode;
}

/** The progress of a run, with a button to stop it, and what to do once it has ended. Leaving the page asks first, and stops it. */
export function RunProgress({ run, done, noun = 'user', onStop, actions, note }: RunProgressProps) {
  const { outcomes, state } = run;
  const total = Math.max(run.total, outcomes.length);
  const isRunning = state !== 'ended';
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
            status={isRunning ? 'in-progress' : isComplete(run) ? 'success' : 'error'}
            resultText={resultOf(run)}
            additionalInfo={`${outcomes.length.toLocaleString('en')} of ${countOf(total, noun)}`}
            description={state === 'stopping' ? 'Stopping after the requests in progress…' : undefined}
          />
          <span role="status">{isRunning ? '' : describeEnd(run, done)}</span>
          {isRunning ? (
            <Button disabled={state === 'stopping'} onClick={onStop}>
              Stop
            </Button>
          ) : (
            actions
          )}
          {!isRunning && note}
        </SpaceBetween>
      </Container>
      {isRunning && <LeaveRun onStop={onStop} />}
    </div>
  );
}

/** Asks before the page of a run is left. */
function LeaveRun({ onStop }: { readonly onStop: () => void }) {
  const leaving = useLeaving(true);
  if (!leaving.isAsked) return null;
  return (
    <LeaveModal
      header="Stop and leave?"
      leave="Stop and leave"
      stay="Stay"
      onLeave={() => {
        onStop();
        leaving.leave();
      }}
      onStay={() => leaving.stay()}
    >
      It is not done yet. The requests in progress finish, and what was not sent stays as it is.
    </LeaveModal>
  );
}

/** The button that goes on with a run, for those it has not answered for; none if there are none. */
export function ResumeRun({ run, onClick }: { readonly run: Run<unknown>; readonly onClick: () => void }) {
  const left = run.total - run.outcomes.filter(isAnswered).length;
  if (left <= 0) return null;
  return (
    <Button variant="primary" onClick={onClick}>
      {`Continue for ${countOf(left, 'user')}`}
    </Button>
  );
}

/** The button that undoes a run, on the page that shows the progress of it. */
export function UndoRun({ run, appId }: { readonly run: Run<unknown>; readonly appId?: string }) {
  const navigate = useNavigate();
  return (
    <Button
      disabled={changedIn(run) === 0}
      disabledReason="No user was changed."
      onClick={() => navigate(undoBulkPath({ bulkId: run.bulkId, appId }), { state: undoAtOnce() })}
    >
      {`Undo for ${countOf(changedIn(run), 'user')}`}
    </Button>
  );
}

/** How many users a run has changed so far. */
export function changedIn({ outcomes }: Run<unknown>): number {
  return new Set(outcomes.filter(({ outcome }) => outcome === 'changed').map(({ userId }) => userId)).size;
}

/** How many users the service did not answer for. */
function unansweredIn({ outcomes }: Run<unknown>): number {
  return new Set(outcomes.filter((outcome) => !isAnswered(outcome)).map(({ userId }) => userId)).size;
}

function resultOf(run: Run<unknown>): string {
  if (isComplete(run)) return 'Completed';
  return run.error === null && unansweredIn(run) === 0 ? 'Stopped' : 'Not completed';
}

function isComplete(run: Run<unknown>): boolean {
  return run.outcomes.length >= run.total && unansweredIn(run) === 0 && run.error === null;
}

function describeEnd(run: Run<unknown>, done: string): string {
  const unanswered = unansweredIn(run);
  const missing = unanswered > 0 ? ` No answer for ${countOf(unanswered, 'user')}.` : '';
  return `${done} ${countOf(changedIn(run), 'user')}.${missing}`;
}
