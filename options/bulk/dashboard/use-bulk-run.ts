import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Writer } from '#dashboard/api/create-writer.ts';
import { inBatches, latestOf, outcomesOf } from '#dashboard/api/in-batches.ts';
import { ProblemError } from '#dashboard/api/problem-error.ts';
import { useLeaveWarning } from '#dashboard/forms/use-kept-input.ts';
import { useNewWriter, useNoteUnsent } from '#dashboard/session/dashboard-context.ts';
import { useDebounced } from '#dashboard/users/use-debounced.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type BulkSetting, sendBatch } from './bulk-actions.ts';

/** What would change now, as the service decides it; undefined until it is known. */
export function usePreview(setting: BulkSetting | undefined, userIds: readonly string[], enabled: boolean) {
  const newWriter = useNewWriter();
  const settled = useDebounced(JSON.stringify([setting, userIds]));
  const isSettled = settled === JSON.stringify([setting, userIds]);
  const { data, error, isFetching } = useQuery({
    queryKey: ['bulk-preview', settled],
    enabled: enabled && isSettled && setting !== undefined && userIds.length > 0,
    queryFn: ({ signal }) =>
      inBatches<BulkOutcome>(
        userIds,
        (batch) => sendBatch(newWriter(), setting as BulkSetting, { userIds: batch, dryRun: true }),
        { signal },
      ),
  });
  return { outcomes: isSettled && setting !== undefined ? data : undefined, error, isFetching };
}

/** Changes that were started, and what is known of them. */
export interface Run<Work, Outcome extends BulkOutcome = BulkOutcome> {
  readonly bulkId: string;
  readonly work: Work;
  /** The number of outcomes to expect. */
  readonly total: number;
  readonly outcomes: readonly Outcome[];
  readonly state: 'running' | 'stopping' | 'ended';
  /** Why it ended early, apart from a stop. */
  readonly error: Error | null;
}

/** What the work of a run needs. */
export interface RunTools<Outcome> {
  readonly bulkId: string;
  /** Creates a writer for each batch. */
  readonly newWriter: () => Writer;
  /** What has an outcome from before the run was continued, which is not sent again. */
  readonly answered: ReadonlySet<string>;
  /** When aborted, no further batch is sent. */
  readonly signal: AbortSignal;
  readonly onResults: (outcomes: readonly Outcome[]) => void;
}

/** How the work of a run is done. */
export interface RunOptions<Work, Outcome> {
  /** What it is called, such as `Bulk change`. */
  readonly name: string;
  /** What has an outcome each. Default: a user. */
  readonly noun?: string;
  readonly totalOf: (work: Work) => number;
  readonly perform: (work: Work, tools: RunTools<Outcome>) => Promise<unknown>;
  /** What an outcome is about, in the place of an earlier one. Default: the user. */
  readonly keyOf?: (outcome: Outcome) => string;
}

/**
 * Changes users as one bulk, batch by batch; after a stop it ends with the batches in progress. What is left after a stop or a
 * failure is continued as the same bulk.
 */
export function useRun<Work, Outcome extends BulkOutcome>(options: RunOptions<Work, Outcome>) {
  const { name, noun = 'user', totalOf, perform, keyOf = ({ userId }) => userId } = options;
  const newWriter = useNewWriter();
  const queryClient = useQueryClient();
  const noteUnsent = useNoteUnsent();
  const [run, setRun] = useState<Run<Work, Outcome>>();
  const stopping = useRef<AbortController>(undefined);
  useLeaveWarning(run !== undefined && run.state !== 'ended');
  const change = (part: Partial<Run<Work, Outcome>>) => setRun((before) => before && { ...before, ...part });
  const runOnce = async (work: Work, bulkId: string, earlier: readonly Outcome[]) => {
    // A second click comes before the page is rendered without the button.
    if (stopping.current !== undefined) return;
    const controller = new AbortController();
    stopping.current = controller;
    const [total, { signal }] = [totalOf(work), controller];
    const before = new Map(earlier.map((outcome) => [keyOf(outcome), outcome]));
    const known = earlier.filter(isAnswered);
    const outcomes = new Map(known.map((outcome) => [keyOf(outcome), outcome]));
    const answered = new Set(outcomes.keys());
    setRun({ bulkId, work, total, outcomes: known, state: 'running', error: null });
    const onResults = (results: readonly Outcome[]) => {
      for (const outcome of results) {
        const key = keyOf(outcome);
        outcomes.set(key, latestOf(outcomes.get(key) ?? before.get(key), outcome));
      }
      change({ outcomes: [...outcomes.values()] });
    };
    const error = await perform(work, { bulkId, newWriter, answered, signal, onResults }).then(
      () => null,
      (failure: Error) => failure,
    );
    if (error instanceof ProblemError && error.code === 'session_ended') {
      noteUnsent(`${name}: ${outcomes.size.toLocaleString('en')} of ${countOf(total, noun)} done`);
    }
    stopping.current = undefined;
    change({ state: 'ended', error });
    void queryClient.invalidateQueries({ refetchType: 'none' });
  };
  const stop = () => {
    stopping.current?.abort();
    change({ state: 'stopping' });
  };
  const start = (work: Work) => void runOnce(work, newBulkId(Date.now()), []);
  /** Goes on with what was not done. */
  const resume = () => run && void runOnce(run.work, run.bulkId, run.outcomes);
  return { run, start, resume, stop, clear: () => setRun(undefined) };
}

/** Whether the service has said what became of it. */
export function isAnswered({ problem }: BulkOutcome): boolean {
  return problem?.code !== 'unavailable';
}

/** The same change of many users. */
export interface BulkWork {
  readonly setting: BulkSetting;
  readonly userIds: readonly string[];
}

/** Runs a bulk change. */
export function useBulkRun() {
  return useRun<BulkWork, BulkOutcome>({
    name: 'Bulk change',
    totalOf: ({ userIds }) => userIds.length,
    perform: ({ setting, userIds: all }, { bulkId, newWriter, answered, ...options }) =>
      inBatches<BulkOutcome>(
        all.filter((userId) => !answered.has(userId)),
        (batch) => {
          const write = newWriter();
          return outcomesOf(
            batch,
            (userIds) => sendBatch(write, setting, { userIds, bulkId }),
            (userIds) => sendBatch(write, setting, { userIds, dryRun: true }),
          );
        },
        options,
      ),
  });
}
