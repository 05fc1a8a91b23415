import type { CallRecord } from '../clients.ts';
import { singles } from '../operations.ts';
import type { Input, Told } from './during-call.ts';

/** The outcome for one user of a bulk. */
export interface BulkOutcome {
  readonly userId: string;
  /** Only when a bulk is undone. */
  readonly changeId?: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  readonly problem?: { readonly code: string; readonly detail: string };
}

/** What a bulk call was told about each user; nothing if it was refused as a whole. */
export function partsOf({ operation, input, outcome }: CallRecord): Told[] {
  const single = singles[operation];
  if (single === undefined || outcome?.kind !== 'done') return [];
  const { appId, bulkId: _, ...asked } = input as Input;
  return (outcome.body.items as readonly BulkOutcome[]).map(({ userId, changeId, outcome: part, problem }) => ({
    operation: single,
    isPart: true,
    input: {
      ...asked,
      ...(appId !== undefined && { appId }),
      userId,
      ...(changeId !== undefined && { changeId }),
    } as Input,
    outcome:
      part === 'failed'
        ? { kind: 'refused', code: problem?.code ?? '', status: statusOf(problem), said: [problem?.detail ?? ''] }
        : { kind: 'done', body: { changed: part === 'changed' } },
  }));
}

function statusOf(problem: BulkOutcome['problem']): number {
  return problem?.code === 'unavailable' ? 503 : 400;
}
