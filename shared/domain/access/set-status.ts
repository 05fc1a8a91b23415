import type { ChangedAccess, SetAccessBody } from '#shared/contract/access.ts';
import type { BulkOutcome } from '#shared/contract/access-lists.ts';
import { type AppId, isUserId, type UserId } from '#shared/contract/fields.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/telemetry.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { type AccessCommand, changeAccess } from './change-access.ts';
import { decideStatusChange } from './decide-access-change.ts';

/** Sets the status of one user in one application; changes neither the user nor any other application. */
export async function setAccess(
  command: AccessCommand & { readonly setting: SetAccessBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  const { setting } = command;
  return changeAccess(command, context, {
    decide: ({ access }) => {
      validateSetting(setting);
      return decideStatusChange(access, setting);
    },
  });
}

/** Refuses an end without a block, or one in the past or too far ahead. */
function validateSetting({ status, until }: SetAccessBody): void {
  if (until !== null && status !== 'disabled') throw invalidField('until', 'goes only with the status "disabled"');
  validateExpiry('until', until);
}

const concurrency = 10;

export interface BulkCommand {
  readonly appId: AppId;
  readonly userIds: readonly string[];
  readonly setting: SetAccessBody;
}

/** Sets the same status for many users, each by itself: an outcome for every one, whether or not others fail. */
export async function setAccessInBulk(command: BulkCommand, context: RequestContext): Promise<readonly BulkOutcome[]> {
  const { appId, userIds, setting } = command;
  validateSetting(setting);
  await readExistingApplication(appId);
  const outcomes = new Map<string, BulkOutcome>();
  const remaining = [...userIds];
  const work = async () => {
    for (let userId = remaining.shift(); userId !== undefined; userId = remaining.shift()) {
      outcomes.set(userId, await setOne(userId, command, context));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return userIds.map((userId) => outcomes.get(userId)).filter((outcome) => outcome !== undefined);
}

async function setOne(userId: string, { appId, setting }: BulkCommand, context: RequestContext): Promise<BulkOutcome> {
  if (!isUserId(userId)) return failed(userId, 'invalid_request', 'This is no user id.');
  try {
    const { changed } = await setAccess({ userId, appId, setting }, partOf(context, userId));
    return { userId, outcome: changed ? 'changed' : 'unchanged' };
  } catch (error) {
    if (error instanceof ServiceError) return failed(userId, error.code, error.options.detail);
    log.error('bulk', { requestId: context.requestId, error: error as Error });
    return failed(userId, 'internal', 'This is our fault. Tell us the request id.');
  }
}

/** Each user's part of the call ends by itself. */
function partOf(context: RequestContext, userId: UserId): RequestContext {
  const { attempt } = context;
  return attempt === undefined ? context : ({ ...context, attempt: { ...attempt, subject: userId } } as RequestContext);
}

function failed(userId: string, code: string, detail: string): BulkOutcome {
  return { userId, outcome: 'failed', problem: { code, detail } };
}
