import type { Changed, Page } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { transact } from '#shared/table/client.ts';
import {
  type Application,
  applicationOf,
  createApplicationEntry,
  readExistingApplication,
  updateApplicationEntry,
} from '#shared/table/items/application-item.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { buildChange, createWithChange } from '../request/build-change.ts';
import { listPage } from '../request/list-page.ts';
import { monotonicTimestamp, requireVersion, retryOnConflict } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';

/** What an operator sees of an application; its keys are a list of their own. */
function applicationView({ appId, name, version, createdAt, updatedAt }: Application): ApplicationView {
  return { appId, name, version, createdAt, updatedAt };
}

/** Creates an application without keys or roles; 409 if its id was ever taken. */
export async function createApplication(
  { appId, name }: { readonly appId: AppId; readonly name: string },
  context: RequestContext,
): Promise<ApplicationView> {
  const at = now().toISOString();
  const application = { appId, name, keys: {}, version: 1, createdAt: at, updatedAt: at };
  await createWithChange(createApplicationEntry(application), context, {
    action: 'application.created',
    at,
    appId,
    before: null,
    after: { name, version: 1 },
    reason: null,
  });
  return applicationView(application);
}

/** One application, or 404. */
export async function getApplication({ appId }: { readonly appId: AppId }): Promise<ApplicationView> {
  return applicationView(await readExistingApplication(appId));
}

/** All applications, by id. */
export async function listApplications(request: PageRequest): Promise<Page<ApplicationView>> {
  return listPage(ranges.applications(), request, (item) => {
    const application = applicationOf(item);
    return application && applicationView(application);
  });
}

export interface ApplicationCommand {
  readonly appId: AppId;
  /** The versions that the caller has seen; undefined is any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** Renames an application; its id stays. */
export async function updateApplication(
  command: ApplicationCommand & { readonly name: string },
  context: RequestContext,
): Promise<Changed<ApplicationView>> {
  const { name } = command;
  const { application, changed } = await changeApplication(command, context, (current) => {
    if (current.name === name) return undefined;
    return { action: 'application.updated', next: { name }, before: { name: current.name }, after: { name } };
  });
  return { ...applicationView(application), changed };
}

/** What a decision about an application asks to write. */
export interface ApplicationChange {
  readonly action: ChangeAction;
  readonly keyId?: string;
  readonly next: Partial<Pick<Application, 'name' | 'keys'>>;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
}

/** The one way to change an application: read, decide, write with its Change; again when somebody else was faster. */
export async function changeApplication(
  { appId, ifMatch }: ApplicationCommand,
  context: RequestContext,
  decide: (application: Application, at: Date) => ApplicationChange | undefined,
): Promise<{ application: Application; changed: boolean }> {
  return retryOnConflict(async () => {
    const read = await readExistingApplication(appId);
    requireVersion('application', read.version, ifMatch);
    const at = now();
    const decided = decide(read, at);
    if (decided === undefined) return { application: read, changed: false };
    const updatedAt = monotonicTimestamp(at, read.updatedAt);
    const application = { ...read, ...decided.next, version: read.version + 1, updatedAt };
    const change = buildChange(context, {
      ...decided,
      at: updatedAt,
      appId,
      before: { ...decided.before, version: read.version },
      after: { ...decided.after, version: application.version },
      reason: null,
    });
    const outcome = await transact([updateApplicationEntry(read, application), putChangeEntry(change)]);
    return outcome.kind === 'committed' ? { application, changed: true } : 'conflict';
  });
}
