import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type BulkOutcome, newBulkId } from '#shared/contract/bulk.ts';
import { useNewWriter } from '../session/dashboard-context.ts';
import { useDebounced } from '../users/use-debounced.ts';
import { type BulkSetting, sendBatch } from './bulk-actions.ts';
import { inBatches, outcomesOf } from './in-batches.ts';

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

/** A bulk change that was started. */
export interface BulkRun {
  readonly bulkId: string;
  readonly setting: BulkSetting;
  readonly userIds: readonly string[];
  readonly outcomes: readonly BulkOutcome[];
  readonly state: 'running' | 'stopping' | 'ended';
}

/** Runs a bulk change, batch by batch; after a stop it ends with the batches in progress. */
export function useBulkRun() {
  const newWriter = useNewWriter();
  const queryClient = useQueryClient();
  const [run, setRun] = useState<BulkRun>();
  const stopping = useRef<AbortController>(undefined);
  const isRunning = run !== undefined && run.state !== 'ended';
  useWarning(isRunning);
  const start = async (setting: BulkSetting, userIds: readonly string[]) => {
    const bulkId = newBulkId(Date.now());
    const controller = new AbortController();
    stopping.current = controller;
    setRun({ bulkId, setting, userIds, outcomes: [], state: 'running' });
    const send = (batch: readonly string[]) => {
      const write = newWriter();
      return outcomesOf(batch, (userIds) => sendBatch(write, setting, { userIds, bulkId }));
    };
    const onResults = (results: readonly BulkOutcome[]) =>
      setRun((before) => before && { ...before, outcomes: [...before.outcomes, ...results] });
    await inBatches(userIds, send, { signal: controller.signal, onResults });
    setRun((before) => before && { ...before, state: 'ended' });
    void queryClient.invalidateQueries({ refetchType: 'none' });
  };
  const stop = () => {
    stopping.current?.abort();
    setRun((before) => before && { ...before, state: 'stopping' });
  };
  return { run, isRunning, start, stop, clear: () => setRun(undefined) };
}

/** Makes the browser ask before the page of a running bulk change is left. */
export function useWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
