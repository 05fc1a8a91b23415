import type { SetAccessBody } from '#shared/contract/access.ts';
import { type AppId, isUserId } from '#shared/contract/ids.ts';
import type { BulkOutcome } from '#shared/contract/management.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/log.ts';
import { readApplication } from '#shared/table/application.ts';
import { presentApplication } from './present-application.ts';
import type { RequestContext } from './request-context.ts';
import { refuseUnsoundSetting, setAccess } from './set-access.ts';

const concurrency = 10;

export interface BulkCommand {
  readonly appId: AppId;
  readonly userIds: readonly string[];
  readonly setting: SetAccessBody;
}

/** Sets the same status for many users, each by itself: an outcome for every one, whatever becomes of the others. */
export async function setAccessInBulk(command: BulkCommand, context: RequestContext): Promise<readonly BulkOutcome[]> {
  const { appId, userIds, setting } = command;
  refuseUnsoundSetting(setting, context);
  presentApplication(await readApplication(appId));
  const outcomes = new Map<string, BulkOutcome>();
  const waiting = [...userIds];
  const work = async () => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
      outcomes.set(userId, await setOne(userId, command, context));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return userIds.map((userId) => outcomes.get(userId)).filter((outcome) => outcome !== undefined);
}

async function setOne(userId: string, { appId, setting }: BulkCommand, context: RequestContext): Promise<BulkOutcome> {
  if (!isUserId(userId)) return failed(userId, 'invalid_request', 'This is no user id.');
  try {
    const { changed } = await setAccess({ userId, appId, setting }, context);
    return { userId, outcome: changed ? 'changed' : 'unchanged' };
  } catch (error) {
    if (error instanceof ServiceError) return failed(userId, error.code, error.options.detail);
    log.error('bulk', { requestId: context.requestId, error: error as Error });
    return failed(userId, 'internal', 'This is our fault. Tell us the request id.');
  }
}

function failed(userId: string, code: string, detail: string): BulkOutcome {
  return { userId, outcome: 'failed', problem: { code, detail } };
}
