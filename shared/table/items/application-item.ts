import * as v from 'valibot';
import { applicationFields } from '#shared/contract/application-fields.ts';
import type { Change } from '#shared/contract/change.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { tableFormatKey } from '#shared/contract/table-format.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems, type TransactEntry, updateItem } from '../client.ts';
import { putNewEntry, updateEntry } from '../expression.ts';
import {
  absentText,
  chainHead,
  deletingMark,
  keptEntriesOfApplication,
  keptOfApplication,
  mapSchema,
  parseItem,
  storedId,
} from '../item-schema.ts';
import { applicationIndexKey, applicationKey, requestTotalsKey } from '../keys/application-item-keys.ts';
import { putFormatEntry } from './format-item.ts';
import { type KeyState, keyStateSchema } from './key-state.ts';

const lastReviewSchema = v.object({
  /** The id of the Change that records it, from which its time and the reviewer are read. */
  changeId: v.string(),
  asOf: v.string(),
  laterChanges: v.number(),
});

/** A review of who has access to an application. */
export type StoredReview = Readonly<v.InferOutput<typeof lastReviewSchema>>;

const applicationItemSchema = v.object({
  appId: storedId<AppId>(),
  ...fieldEntries(applicationFields, 'stored'),
  /** The last review of its access; the attribute does not exist before the first one. */
  lastReview: v.optional(lastReviewSchema),
  /** By key id. */
  keys: mapSchema(keyStateSchema<Scope>()),
  ...keptEntriesOfApplication,
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  chainHead,
  deleting: deletingMark,
  /** For a deleted application: whether its contents are deleted and no earlier request can still write. */
  swept: v.optional(v.boolean(), false),
  /** Until this time accesses cannot be changed, because the application may be about to be deleted. */
  closedUntil: absentText,
});

type ApplicationMarks = 'deleting' | 'swept' | 'closedUntil';

export interface Application
  extends Readonly<Omit<v.InferOutput<typeof applicationItemSchema>, ApplicationMarks | 'keys'>> {
  readonly keys: Readonly<Record<string, KeyState>>;
  /** Default: not closed. */
  readonly closedUntil?: string | undefined;
}

/** The application of an item; undefined if it was deleted, which leaves only its tombstone. */
export function applicationOf(item: Item | undefined): Application | undefined {
  if (item === undefined) return undefined;
  const { deleting, swept, ...application } = parseItem(applicationItemSchema, item);
  return deleting ? undefined : application;
}

/** The id of a listed application. */
export function appIdOf(item: Item): AppId {
  return parseItem(v.object({ appId: storedId<AppId>() }), item).appId;
}

/** An application read for a caller who is not authorized yet. Only `authorize` opens it. */
export class GuardedApplication {
  readonly #application: Application | undefined;

  /** Undefined if the application does not exist. */
  constructor(application: Application | undefined) {
    this.#application = application;
  }

  unwrap(): Application | undefined {
    return this.#application;
  }
}

/** Reads one application, strongly consistent. */
export async function readApplication(appId: AppId): Promise<GuardedApplication> {
  return new GuardedApplication(await findApplication(appId));
}

async function findApplication(appId: AppId): Promise<Application | undefined> {
  const [item] = await readItems([applicationKey(appId)]);
  return applicationOf(item);
}

/** An application as stored, even after it was deleted. */
export interface ApplicationItem {
  readonly application: Application;
  readonly deleted: boolean;
  readonly swept: boolean;
}

/** Reads one application, even after it was deleted; strongly consistent. */
export async function readApplicationItem(appId: AppId): Promise<ApplicationItem | undefined> {
  const [item] = await readItems([applicationKey(appId)]);
  if (item === undefined) return undefined;
  const { deleting, swept, ...application } = parseItem(applicationItemSchema, item);
  return { application, deleted: deleting, swept };
}

/** The application, or 404 `application_not_found`. */
export function requireApplication(application: Application | undefined): Application {
  if (application !== undefined) return application;
  throw new ServiceError('application_not_found', { detail: 'There is no application with this id.' });
}

/** Reads an application that must exist, for an operator. */
export async function readExistingApplication(appId: AppId): Promise<Application> {
  return requireApplication(await findApplication(appId));
}

/** Whether an application has ever had this id, and whether the table states its format. */
export async function readApplicationId(appId: AppId): Promise<{ taken: boolean; hasFormat: boolean }> {
  const [item, format] = await readItems([applicationKey(appId), tableFormatKey]);
  return { taken: item !== undefined, hasFormat: format !== undefined };
}

/**
 * The entries that create an application, if its id was never used; the first one also sets the table's format. The Change is the
 * first of its chain, and is put by entries of its own in the same transaction.
 */
export function createApplicationEntries(
  application: Omit<Application, 'chainHead'>,
  { integrity }: Change,
  { hasFormat }: { readonly hasFormat: boolean },
): TransactEntry[] {
  const { appId } = application;
  const keys = { ...applicationKey(appId), ...applicationIndexKey(appId) };
  const entry = putNewEntry({ ...keys, ...application, chainHead: integrity.mac });
  return hasFormat ? [entry] : [entry, putFormatEntry()];
}

/**
 * Writes what is new of an application with its Change, if the stored version is still the one that was read; a deletion makes
 * another one. It names no other attributes, so that a function can be limited to some.
 */
export function updateApplicationEntry(read: Application, next: Application, { integrity }: Change) {
  const before: Readonly<Record<string, unknown>> = { ...read };
  const { closedUntil: _, ...set } = next;
  const changed = Object.fromEntries(Object.entries(set).filter(([name, value]) => value !== before[name]));
  return updateEntry({
    key: applicationKey(read.appId),
    set: { ...changed, chainHead: integrity.mac },
    equals: { version: read.version },
  });
}

/** Turns the application into a tombstone: not listed, without keys, its id permanently reserved. */
export function tombstoneApplicationEntry({ appId, version, closedUntil }: Application, { at, integrity }: Change) {
  const next = { keys: {}, version: version + 1, updatedAt: at, chainHead: integrity.mac };
  return updateEntry({
    key: applicationKey(appId),
    set: { deleting: true, swept: false, ...next },
    // Without its closing, it cannot be reopened.
    remove: ['gsi1pk', 'gsi1sk', 'closedUntil', ...keptOfApplication],
    equals: { version, ...(closedUntil && { closedUntil }) },
    absent: ['deleting'],
  });
}

/** Records that the contents of a deleted application have been deleted. */
export function sweptApplicationEntry({ appId, version }: Pick<Application, 'appId' | 'version'>) {
  return updateEntry({ key: applicationKey(appId), set: { swept: true }, equals: { version, deleting: true } });
}

/** Closes the application until this time: its accesses cannot be changed, because it may be about to be deleted. */
export function closeApplicationEntry({ appId, version }: Application, closedUntil: string) {
  return updateEntry({ key: applicationKey(appId), set: { closedUntil }, equals: { version }, absent: ['deleting'] });
}

/** Reopens the application, if it is still closed until this time. */
export function reopenApplicationEntry({ appId }: Application, closedUntil: string) {
  return updateEntry({ key: applicationKey(appId), set: {}, remove: ['closedUntil'], equals: { closedUntil } });
}

/** The requests of an application that all processes have counted; those of processes that settle rarely are separate. */
export interface RequestTotals {
  readonly requests: number;
  readonly restingRequests: number;
}

const requestTotalsSchema = v.object({ requests: v.number(), restingRequests: v.number() });
const totalsRetentionSeconds = 86_400;

/**
 * Adds to the totals of an application in the Region of this process, and returns the new totals. They are approximate,
 * because the SDK may send the update twice. They restart at 0 when an application has no requests for a day.
 */
export async function countRequests(appId: AppId, added: RequestTotals): Promise<RequestTotals> {
  const { tableName, region } = config();
  const { pk, sk } = requestTotalsKey(appId, region);
  const attributes = await updateItem({
    TableName: tableName,
    Key: { pk, sk },
    UpdateExpression: 'SET #ttl = :ttl ADD #requests :requests, #resting :resting',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#requests': 'requests', '#resting': 'restingRequests' },
    ExpressionAttributeValues: {
      ':ttl': Math.ceil(now().getTime() / 1000) + totalsRetentionSeconds,
      ':requests': added.requests,
      ':resting': added.restingRequests,
    },
    ReturnValues: 'UPDATED_NEW',
  });
  return parseItem(requestTotalsSchema, attributes);
}
