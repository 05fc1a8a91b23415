import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type BulkOutcome, newBulkId } from '#shared/contract/bulk.ts';
import type { Writer } from '../api/create-writer.ts';
import { useLeaveWarning } from '../forms/use-kept-input.ts';
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

/** Changes of users that were started, and what is known of them. */
export interface Run<Work> {
  readonly bulkId: string;
  readonly work: Work;
  /** The number of users. */
  readonly total: number;
  readonly outcomes: readonly BulkOutcome[];
  readonly state: 'running' | 'stopping' | 'ended';
}

/** How the work of a run is done. */
export interface RunOptions<Work, Item> {
  /** What is sent of each user. */
  readonly itemsOf: (work: Work) => readonly Item[];
  /** Sends one batch. */
  readonly send: (
    write: Writer,
    work: Work,
    batch: { readonly items: readonly Item[]; readonly bulkId: string },
  ) => Promise<readonly BulkOutcome[]>;
}

/** Changes users as one bulk, batch by batch; after a stop it ends with the batches in progress. */
export function useRun<Work, Item>({ itemsOf, send }: RunOptions<Work, Item>) {
  const newWriter = useNewWriter();
  const queryClient = useQueryClient();
  const [run, setRun] = useState<Run<Work>>();
  const stopping = useRef<AbortController>(undefined);
  useLeaveWarning(run !== undefined && run.state !== 'ended');
  const change = (part: (before: Run<Work>) => Partial<Run<Work>>) =>
    setRun((before) => before && { ...before, ...part(before) });
  const start = async (work: Work) => {
    const [bulkId, items] = [newBulkId(Date.now()), itemsOf(work)];
    const controller = new AbortController();
    stopping.current = controller;
    setRun({ bulkId, work, total: items.length, outcomes: [], state: 'running' });
    const onResults = (results: readonly BulkOutcome[]) =>
      change(({ outcomes }) => ({ outcomes: [...outcomes, ...results] }));
    await inBatches<BulkOutcome, Item>(items, (batch) => send(newWriter(), work, { items: batch, bulkId }), {
      signal: controller.signal,
      onResults,
    });
    change(() => ({ state: 'ended' }));
    void queryClient.invalidateQueries({ refetchType: 'none' });
  };
  const stop = () => {
    stopping.current?.abort();
    change(() => ({ state: 'stopping' }));
  };
  return { run, start, stop, clear: () => setRun(undefined) };
}

/** The same change of many users. */
export interface BulkWork {
  readonly setting: BulkSetting;
  readonly userIds: readonly string[];
}

/** Runs a bulk change. */
export function useBulkRun() {
  return useRun<BulkWork, string>({
    itemsOf: ({ userIds }) => userIds,
    send: (write, { setting }, { items, bulkId }) =>
      outcomesOf(items, (userIds) => sendBatch(write, setting, { userIds, bulkId })),
  });
}
