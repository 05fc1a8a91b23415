import type { StreamRecord } from '#shared/table/items/change-item.ts';

/** A batch as Lambda delivers it, and the response with the record from which it redelivers the batch. */
interface StreamBatch {
  readonly Records: readonly StreamRecord[];
}
interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * A function that reads the table's stream: `take` returns the sequence number from which the batch must be read again,
 * undefined when all of it is done.
 */
export function streamHandler(take: (records: readonly StreamRecord[]) => Promise<string | undefined>) {
  return async ({ Records }: StreamBatch): Promise<BatchResponse> => {
    const continueFrom = await take(Records);
    return { batchItemFailures: continueFrom === undefined ? [] : [{ itemIdentifier: continueFrom }] };
  };
}
