import type { AppId } from '#shared/contract/ids.ts';
import type { Deletion } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import {
  type Application,
  applicationOf,
  buryApplicationEntry,
  readApplicationItem,
} from '#shared/table/application.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { erasingTime } from './erasing-time.ts';
import { laterMoment } from './later-moment.ts';
import { listApplicationUsers } from './list-application-users.ts';
import { listsAny } from './lists-any.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';
import { sweepApplication } from './sweep-application.ts';

export interface ApplicationDeletion {
  readonly appId: AppId;
  /** Also while users hold grants or explicit access; they lose them. */
  readonly force: boolean;
}

/**
 * Deletes an application. First it is marked, which refuses its keys at once; then its accesses, members, roles and key
 * uses go. The mark stays as a tombstone: its id is never free again, so what a late request may have left can never come
 * to life in a new application. The history stays until its retention ends. Can be repeated, and goes on.
 */
export async function deleteApplication(command: ApplicationDeletion, context: RequestContext): Promise<Deletion> {
  const marked = await retryWhileMoving(() => mark(command, context));
  if (marked === 'absent') return { changed: false, complete: true };
  const complete = await sweepApplication(command.appId, erasingTime());
  return { changed: marked === 'marked', complete };
}

async function mark({ appId, force }: ApplicationDeletion, context: RequestContext) {
  const item = await readApplicationItem(appId);
  if (item === undefined) return 'absent';
  const application = applicationOf(item);
  if (application === undefined) return 'marked before';
  if (!force) await refuseUsed(application);
  const at = laterMoment(now(), application.updatedAt);
  const record = recordChange(context, {
    action: 'application.deleted',
    at,
    appId,
    before: { name: application.name, version: application.version },
    after: null,
    reason: null,
  });
  const outcome = await transact([buryApplicationEntry(application, at), putChangeEntry(record)]);
  return outcome.kind === 'committed' ? 'marked' : 'moved';
}

async function refuseUsed({ appId }: Application): Promise<void> {
  if (!(await listsAny((page) => listApplicationUsers({ appId, ...page })))) return;
  throw new ServiceError('application_in_use', {
    detail: 'Users have explicit access or roles in this application. Take them back first, or send ?force=true.',
  });
}
