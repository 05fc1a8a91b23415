import type { ChangedAccess, NewSetting, SetAccessBody } from '#shared/contract/access.ts';
import { accessFields } from '#shared/contract/access-fields.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { invalidField } from '#shared/core/errors.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { type Bulk, changeInBulk } from '../request/in-bulk.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { type AccessCommand, type AccessRule, changeAccess } from './change-access.ts';
import { decideStatusChange } from './decide-access-change.ts';

function wholeSetting(setting: NewSetting): SetAccessBody {
  return { ...unsetFields(accessFields), ...setting };
}

/** Sets the status of one user in one application; changes neither the user nor any other application. */
export async function setAccess(
  command: AccessCommand & { readonly setting: NewSetting },
  context: RequestContext,
): Promise<ChangedAccess> {
  return changeAccess(command, context, statusRule(command.setting));
}

/** The rule that sets a status. */
export function statusRule(given: NewSetting): AccessRule {
  const setting = wholeSetting(given);
  return {
    decide: ({ access }) => {
      validateSetting(setting);
      return decideStatusChange(access, setting);
    },
  };
}

/** Refuses an expiry without a block, in the past or too far ahead. */
function validateSetting({ status, until }: SetAccessBody): void {
  if (until !== null && status !== 'disabled')
    throw invalidField('until', 'is allowed only with the status "disabled"');
  validateExpiry('until', until);
}

/** Sets the same status for many users. */
export async function setAccessInBulk(
  { appId, setting, ...bulk }: Bulk & { readonly appId: AppId; readonly setting: NewSetting },
  context: RequestContext,
): Promise<readonly BulkOutcome[]> {
  const require = async () => {
    validateSetting(wholeSetting(setting));
    await readExistingApplication(appId);
  };
  return changeInBulk({ ...bulk, require }, context, (userId, part) => setAccess({ userId, appId, setting }, part));
}
