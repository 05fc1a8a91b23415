import * as v from 'valibot';
import { bulkOutcomeSchema } from '#shared/contract/bulk-answers.ts';
import { changeIdSchema } from '#shared/contract/fields.ts';

/** The outcome for one change of a bulk that is undone. Its `changeId` has a description of its own. */
export const undoOutcomeSchema = v.object({ ...bulkOutcomeSchema.entries, changeId: v.pipe(changeIdSchema) });
