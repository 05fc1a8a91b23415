import type * as v from 'valibot';
import type { Answer, DeepReadonly } from './answers.ts';
import type { changeActions } from './change-actions.ts';
import type { changeIntegritySchema } from './change-integrity.ts';
import type {
  applicationChangePageSchema,
  applicationChangeSchema,
  callerSchema,
  changeSchema,
  changeViewSchema,
  recordedStateSchema,
  undoStates,
} from './change-schemas.ts';

/** Who makes a request. */
export type Caller = DeepReadonly<v.InferOutput<typeof callerSchema>>;

/** The kind of a change. */
export type ChangeAction = (typeof changeActions)[number];

/** The state before or after a change. */
export type RecordedState = Answer<typeof recordedStateSchema>;

/** What reveals that a Change was altered. */
export type ChangeIntegrity = Answer<typeof changeIntegritySchema>;

/** The record of one accepted change. */
export type Change = Answer<typeof changeSchema>;

/** A change as an application reads it. */
export type ApplicationChange = Answer<typeof applicationChangeSchema>;

/** A page of an application's feed. */
export type ApplicationChangePage = Answer<typeof applicationChangePageSchema>;

/** Whether a change can be undone. */
export type UndoState = (typeof undoStates)[number];

/** A change as an operator reads it. */
export type ChangeView = Answer<typeof changeViewSchema>;

/** The record alone, as it is stored, and as its MAC covers it. */
export function recordOf<Recorded extends object>(
  change: Recorded & { readonly undo?: unknown; readonly signature?: unknown },
): Recorded {
  const { undo: _, signature: __, ...recorded } = change;
  return recorded as Recorded;
}

/** `source` of every event that carries a Change; its `detail-type` is the action, its `detail` the Change. */
export const changeEventSource = 'auth-service';

/** `source` of the notices about changes that cannot be published; a rule routes them to the dead-letter queue. */
export const publisherEventSource = 'auth-service.publisher';

/** `detail-type` of such a notice. */
export const unpublishableDetailType = 'change.unpublishable';

/** The change that could not be published, and the reason: the `detail` of a notice. */
export interface UnpublishableChange {
  readonly pk: string | null;
  readonly sk: string | null;
  readonly sequenceNumber: string;
  readonly reason: string;
}
