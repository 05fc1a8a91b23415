import type { Deletion } from '#shared/contract/management.ts';
import type { ManageAnswer } from './manage-operation.ts';

/** 200, or 202 when time ran out: the same request goes on. */
export function deletionAnswer(deletion: Deletion): ManageAnswer {
  return { status: deletion.complete ? 200 : 202, body: deletion };
}
