import { ServiceError } from '#shared/core/errors.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import { type Happening, recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

/** Creates one item together with its Change, once: 409 `already_exists` when it stands there. */
export async function createWithRecord(
  entry: TransactEntry,
  context: RequestContext,
  happening: Happening,
): Promise<void> {
  await retryWhileMoving(async () => {
    const outcome = await transact([entry, putChangeEntry(recordChange(context, happening))]);
    if (outcome.kind === 'conflict') return 'moved';
    if (outcome.kind === 'committed') return undefined;
    throw new ServiceError('already_exists', { detail: 'This id is taken. Choose another one.' });
  });
}
