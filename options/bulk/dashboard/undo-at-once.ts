import { noReason, type Reason } from '#dashboard/forms/reason-fields.tsx';

/** The state of a navigation to the page that undoes a bulk change, by somebody who has just seen what it undoes, and has said why. */
export function undoAtOnce(why: Reason = noReason) {
  return { undoAtOnce: why };
}

/** Why it is undone at once; undefined if a preview comes first. */
export function undoneAtOnce(state: unknown): Reason | undefined {
  return (state as Partial<ReturnType<typeof undoAtOnce>> | null)?.undoAtOnce;
}
