import type { Page, Recorded } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import {
  applicationFields,
  optionalApplicationFields,
  requiredApplicationFields,
} from '#shared/contract/application-fields.ts';
import type { ChangeAction, RecordedState } from '#shared/contract/change.ts';
import {
  equalFields,
  type FieldChanges,
  type FieldValues,
  mergeFields,
  pickFields,
} from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { reviewDueAt } from '#shared/contract/review-due.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { keptOfApplication } from '#shared/table/item-schema.ts';
import {
  type Application,
  createApplicationEntries,
  readApplication,
  readApplicationId,
  readExistingApplication,
  type StoredReview,
  updateApplicationEntry,
} from '#shared/table/items/application-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { authorize } from '../request/authorize.ts';
import { alreadyExists, buildChange } from '../request/build-change.ts';
import { monotonicTimestamp, requireVersion } from '../request/optimistic-locking.ts';
import { identity, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireReason } from '../request/require-reason.ts';
import { readApplicationPage } from './read-application-page.ts';

/** An application as operators see it; its keys are listed separately. */
export function applicationView(application: Omit<Application, 'chainHead'>): ApplicationView {
  const { appId, version, createdAt, updatedAt, lastReview } = application;
  const settings = pickFields(applicationFields, application);
  const reviewedAt = lastReview === undefined ? null : new Date(timeOfUlid(lastReview.changeId)).toISOString();
  const review = { reviewedAt, reviewDueAt: reviewDueAt({ ...settings, reviewedAt, createdAt }) };
  return { appId, ...settings, ...review, version, createdAt, updatedAt };
}

type Settings = FieldValues<typeof applicationFields>;

/** By default an application is open to every user and has no limit. */
export interface NewApplication extends FieldChanges<typeof applicationFields> {
  readonly appId: AppId;
  readonly name: string;
}

/** Creates an application without keys or roles; 409 if its id was ever taken. */
export async function createApplication(
  { appId, ...given }: NewApplication,
  context: RequestContext,
): Promise<ApplicationView> {
  return performWrite<ApplicationView, ApplicationView>(context, {
    decide: async (key) => {
      const { taken, hasFormat } = await readApplicationId(appId);
      if (taken) throw alreadyExists();
      const at = monotonicTimestamp();
      const unset = pickFields(applicationFields, { name: given.name, rolloutPercent: fullRollout });
      const settings = mergeFields(applicationFields, unset, given);
      const application = { appId, ...settings, keys: {}, version: 1, createdAt: at, updatedAt: at };
      const change = buildChange(context, key, {
        action: 'application.created',
        at,
        appId,
        before: null,
        after: { ...recordedOf(settings), version: 1 },
        previous: null,
      });
      const entries = [...createApplicationEntries(application, change, { hasFormat }), ...putChangeEntries(change)];
      return { answer: applicationView(application), entries };
    },
    toStored: identity,
    fromStored: identity,
  });
}

/** One application, or 404. */
export async function getApplication({ appId }: { readonly appId: AppId }): Promise<ApplicationView> {
  return applicationView(await readExistingApplication(appId));
}

/** All applications, or only some, ordered by id. */
export async function listApplications(
  request: PageRequest,
  limitedTo?: readonly AppId[],
): Promise<Page<ApplicationView>> {
  const { items, cursor } = await readApplicationPage(request, limitedTo);
  return { items: items.map(applicationView), cursor };
}

export interface ApplicationCommand {
  readonly appId: AppId;
  /** The versions that the caller expects; undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** Changes the settings of an application; undefined keeps a value. The id never changes. */
export async function updateApplication(
  command: ApplicationCommand & FieldChanges<typeof applicationFields>,
  context: RequestContext,
): Promise<Recorded<ApplicationView>> {
  return changeApplication(command, context, {
    decide: (current) => decideSettings(current, command, context),
    answerOf: changedView,
  });
}

/** The settings after a change; undefined if it changes none. A rollout is not changed without a reason where one is required. */
export function decideSettings(
  current: Application,
  changes: FieldChanges<typeof applicationFields>,
  context: RequestContext,
): ApplicationChange | undefined {
  const next = mergeFields(applicationFields, current, changes);
  if (equalFields(applicationFields, current, next)) return undefined;
  if (next.rolloutPercent !== current.rolloutPercent) requireReason(context, {}, current);
  return { action: 'application.updated', next, before: recordedOf(current, next), after: recordedOf(next, current) };
}

/** The answer of a change of settings. */
export function changedView({ application, changed, changeId }: ApplicationOutcome): Recorded<ApplicationView> {
  return { ...applicationView(application), changed, changeId };
}

/** The state of an application before or after a Change; includes an optional setting only if it differs from the other one. */
export function recordedOf(application: Settings, other: Partial<Settings> = {}): RecordedState {
  const otherValues = new Map<string, unknown>(Object.entries(pickFields(optionalApplicationFields, other)));
  const optional = Object.entries(pickFields(optionalApplicationFields, application));
  const changed = optional.filter(([name, value]) => value !== otherValues.get(name));
  return { ...pickFields(requiredApplicationFields, application), ...Object.fromEntries(changed) };
}

/** The change of an application that a rule has decided on. */
export interface ApplicationChange {
  readonly action: ChangeAction;
  readonly keyId?: string;
  readonly webhookId?: string;
  readonly next: Partial<Settings & Pick<Application, 'keys' | (typeof keptOfApplication)[number]>>;
  /** What else is written in the same transaction. Default: nothing. */
  readonly also?: readonly TransactEntry[];
  /** The review that the change records, which then refers to it. */
  readonly review?: Omit<StoredReview, 'changeId'>;
  readonly undoOf?: string;
  readonly before: RecordedState;
  readonly after: RecordedState;
}

/** What became of a change of an application. */
export interface ApplicationOutcome {
  readonly application: Application;
  readonly changed: boolean;
  /** `null` if nothing changed. */
  readonly changeId: string | null;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** The variable part of a change of an application. */
export interface ApplicationRule<Answer> {
  /** The change to write; undefined when nothing changes. Throws refusals. */
  readonly decide: (application: Application, at: Date) => MaybePromise<ApplicationChange | undefined>;
  readonly answerOf: (outcome: ApplicationOutcome) => Answer;
}

/**
 * The one way to change an application: read, authorize, decide, write with its Change; repeated on a conflict. The result of
 * `answerOf` is stored for later attempts of the call, so it must not hold a secret.
 */
export async function changeApplication<Answer>(
  { appId, ifMatch }: ApplicationCommand,
  context: RequestContext,
  { decide, answerOf }: ApplicationRule<Answer>,
): Promise<Answer> {
  return performWrite<Answer, Answer>(context, {
    decide: async (key) => {
      const read = await authorize(context, await readApplication(appId), now());
      requireVersion('application', read.version, ifMatch);
      const decided = await decide(read, now());
      if (decided === undefined) return { answer: answerOf({ application: read, changed: false, changeId: null }) };
      const updatedAt = monotonicTimestamp(read);
      const version = read.version + 1;
      const change = buildChange(context, key, {
        ...decided,
        at: updatedAt,
        appId,
        before: { ...decided.before, version: read.version },
        after: { ...decided.after, version },
        previous: read.chainHead,
      });
      const review = decided.review && { lastReview: { changeId: change.id, ...decided.review } };
      const application = { ...read, ...decided.next, ...review, version, updatedAt };
      const { also = [] } = decided;
      const entries = [updateApplicationEntry(read, application, change), ...putChangeEntries(change), ...also];
      return { answer: answerOf({ application, changed: true, changeId: change.id }), entries };
    },
    toStored: identity,
    fromStored: identity,
  });
}
