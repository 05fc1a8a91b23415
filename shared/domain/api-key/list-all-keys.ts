import type { Page } from '#shared/contract/answers.ts';
import type { KeyStateName, ListedKeyView } from '#shared/contract/api-key.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { endsWithin, isUnusedFor } from '#shared/contract/key-attention.ts';
import { now } from '#shared/core/clock.ts';
import { type Application, type KeyState, readKeyUses } from '#shared/table/items/application-item.ts';
import { decodeKeyCursor, encodeKeyCursor, type KeyPlace } from '#shared/table/queries/key-cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { readApplicationPage } from '../application/application-page.ts';
import { isActive } from '../request/authorize.ts';
import { keyView } from './list-keys.ts';

/** Which keys are asked for; without a filter every key. */
export interface KeyFilter {
  readonly state?: KeyStateName | undefined;
  /** In seconds. */
  readonly endsWithin?: number | undefined;
  /** In seconds. */
  readonly unusedFor?: number | undefined;
}

export interface AllKeysRequest extends PageRequest {
  readonly filter: KeyFilter;
  /** Only keys of these applications. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/**
 * The keys of all applications, or of some: by application, the newest first. One call sends at most twenty requests, so a
 * page may be short, or even empty, with more to follow.
 */
export async function listAllKeys(request: AllKeysRequest): Promise<Page<ListedKeyView>> {
  const { limit, cursor, filter } = request;
  const bound = [filter.state, filter.endsWithin, filter.unusedFor];
  const at = now();
  const items: ListedKeyView[] = [];
  let place = cursor === undefined ? beginning : decodeKeyCursor(bound, cursor);
  for await (const step of walk(place, request, at)) {
    if (step.key !== undefined && isIdle(step.key, filter, at)) items.push(step.key);
    if (step.place === null) return { items, cursor: null };
    place = step.place;
    if (items.length === limit) break;
  }
  return { items, cursor: encodeKeyCursor(bound, place) };
}

const beginning: KeyPlace = { page: null, appId: '', ulid: '' };

interface Step {
  /** Undefined at the end of a page of applications. */
  readonly key?: ListedKeyView;
  /** Where to go on; `null` where nothing follows. */
  readonly place: KeyPlace | null;
}

const applicationsPerRequest = 100;
const usesPerRequest = 100;
const maxRequests = 20;

/** The keys behind a place that fit all filters but that by use, which is compared when their uses are read. */
async function* walk(start: KeyPlace, { limit, filter, limitedTo }: AllKeysRequest, at: Date): AsyncGenerator<Step> {
  const batchSize = filter.unusedFor === undefined ? Math.min(limit, usesPerRequest) : usesPerRequest;
  const budget = { requests: maxRequests };
  let place = start;
  while (budget.requests-- > 0) {
    const { page, ...seen } = place;
    const asked = { limit: applicationsPerRequest, cursor: page ?? undefined, list: 'keys' };
    const { items, cursor } = await readApplicationPage(asked, limitedTo);
    const keys = items.flatMap(keysOf).filter((key) => isBehind(key, seen) && isWanted(key.state, filter, at));
    for await (const key of viewsOf(keys, batchSize, budget)) {
      place = { page, appId: key.appId, ulid: ulidOf(key.keyId) };
      yield { key, place: cursor === null && key.keyId === keys.at(-1)?.keyId ? null : place };
    }
    if (budget.requests < 0) return;
    if (cursor === null) return yield { place: null };
    place = { ...place, page: cursor };
    yield { place };
  }
}

/** The keys with their last days of use, which are read in batches; ends when the requests are used up. */
async function* viewsOf(
  keys: readonly StoredKey[],
  batchSize: number,
  budget: { requests: number },
): AsyncGenerator<ListedKeyView> {
  for (let first = 0; first < keys.length && budget.requests-- > 0; first += batchSize) {
    const batch = keys.slice(first, first + batchSize);
    const uses = await readKeyUses(batch);
    yield* batch.map(({ application, appId, keyId, state }, n) => ({
      ...keyView(keyId, state, uses[n] ?? null),
      appId,
      applicationName: application.name,
    }));
  }
}

interface StoredKey {
  readonly application: Application;
  readonly appId: AppId;
  readonly keyId: string;
  readonly state: KeyState;
}

function keysOf(application: Application): StoredKey[] {
  const { appId, keys } = application;
  return Object.entries(keys)
    .map(([keyId, state]) => ({ application, appId, keyId, state }))
    .sort((one, other) => (ulidOf(one.keyId) < ulidOf(other.keyId) ? 1 : -1));
}

/** Two keys of an application have different ones, also under different roots. */
function ulidOf(keyId: string): string {
  return keyId.slice(-26);
}

function isBehind({ appId, keyId }: StoredKey, seen: Pick<KeyPlace, 'appId' | 'ulid'>): boolean {
  return appId > seen.appId || (appId === seen.appId && ulidOf(keyId) < seen.ulid);
}

function isWanted(state: KeyState, { state: wanted, endsWithin: seconds }: KeyFilter, at: Date): boolean {
  if (wanted !== undefined && isActive(state, at) !== (wanted === 'active')) return false;
  return seconds === undefined || endsWithin(state, seconds, at);
}

function isIdle(key: ListedKeyView, { unusedFor }: KeyFilter, at: Date): boolean {
  return unusedFor === undefined || isUnusedFor(key, unusedFor, at);
}
