import type { Recorded } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { applicationFields } from '#shared/contract/application-fields.ts';
import { equalFields, mergeFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { readExistingChange, undoableApplicationChange } from '#shared/table/items/read-change.ts';
import { changeApplication, changedView, decideSettings } from '../application/applications.ts';
import { requireVersion } from '../request/optimistic-locking.ts';
import type { OperatorContext } from '../request/request-context.ts';
import { notUndoable, requireGenuine } from './undo-change.ts';

export interface ApplicationUndoCommand {
  readonly appId: AppId;
  readonly changeId: string;
}

/**
 * Undoes a Change of an application's settings, such as its rollout: restores those before it, with the same write as any other
 * change. A setting that the Change does not record stays. 412 if one that it records has another value by now; keys, webhooks and
 * reviews, which also raise the version of the application, do not matter.
 */
export async function undoApplicationChange(
  { appId, changeId }: ApplicationUndoCommand,
  context: OperatorContext,
): Promise<Recorded<ApplicationView>> {
  return changeApplication({ appId }, context, {
    decide: async (current) => {
      const change = await readExistingChange({ appId, changeId });
      const undoable = undoableApplicationChange(change);
      if (undoable === undefined) throw notUndoable("Only changes of an application's settings can be undone.");
      await requireGenuine(change);
      const isAsLeft = equalFields(applicationFields, current, mergeFields(applicationFields, current, undoable.after));
      requireVersion('application', current.version, isAsLeft ? undefined : []);
      const inverse = decideSettings(current, undoable.before, context);
      return inverse && { ...inverse, undoOf: changeId };
    },
    answerOf: changedView,
  });
}
