import type { Page } from '#shared/contract/answers.ts';
import type { KeyStateName, ListedKeyView } from '#shared/contract/api-key.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { endsSoonDays, endsWithin, isUnusedFor, unusedDays } from '#shared/contract/key-attention.ts';
import { now } from '#shared/core/clock.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { type KeyState, readKeyUses } from '#shared/table/items/key-state.ts';
import type { KeyOwner } from '#shared/table/keys/api-key-item-keys.ts';
import { decodeKeyCursor, encodeKeyCursor, type KeyPlace } from '#shared/table/queries/key-cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';
import { readApplicationPage } from '../application/read-application-page.ts';
import { isActive } from '../request/authorize.ts';
import { successorOf, ulidOf } from './key-lifecycle.ts';
import { keyView } from './owned-keys.ts';

/** Which keys to list. Default: all. */
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
 * The keys of all applications, or of some, ordered by application, newest first. One call sends at most twenty requests,
 * so a page may be short or even empty, with more to follow.
 */
export async function listAllKeys(request: AllKeysRequest): Promise<Page<ListedKeyView>> {
  const { limit, cursor, filter } = request;
  const bound = [filter.state, filter.endsWithin, filter.unusedFor];
  const at = now();
  const items: ListedKeyView[] = [];
  let place = cursor === undefined ? beginning : decodeKeyCursor(bound, cursor);
  for await (const step of walk(place, request, at)) {
    if (step.key !== undefined && isUnused(step.key, filter, at)) items.push(step.key);
    if (step.place === null) return { items, cursor: null };
    place = step.place;
    if (items.length === limit) break;
  }
  return { items, cursor: encodeKeyCursor(bound, place) };
}

/** An application or a connection with its keys. */
type WithKeys = KeyOwner & { readonly keys: Readonly<Record<string, KeyState<string>>> };

/** What makes a key one that needs attention, in seconds. */
export const keyAttention = { endsWithin: endsSoonDays * secondsPerDay, unusedFor: unusedDays * secondsPerDay };

/**
 * How many active keys of these applications or connections expire within some time, and how many were not used for some, in
 * seconds. Reads the last use only of keys that are as old, in at most twenty requests: then there may be more.
 */
export async function countKeys(
  owners: readonly WithKeys[],
  filter: Required<Omit<KeyFilter, 'state'>>,
): Promise<Readonly<Record<'expiring' | 'unused', { readonly count: number; readonly more: boolean }>>> {
  const at = now();
  const keys = owners.flatMap(({ keys: states, ...owner }) => matchedKeys(states).map((key) => ({ ...owner, ...key })));
  const active = keys.filter(({ state }) => isActive(state, at));
  const expiring = active.filter((key) => isMatching(key, filter, at)).length;
  const old = active.filter(({ state: { createdAt } }) => isUnused({ createdAt, lastUsedOn: null }, filter, at));
  const read = old.slice(0, maxRequests * usesPerRequest);
  const uses = await readKeyUses(read);
  const unused = read.filter(({ state: { createdAt } }, n) =>
    isUnused({ createdAt, lastUsedOn: uses[n] ?? null }, filter, at),
  );
  const more = old.length > read.length;
  return { expiring: { count: expiring, more: false }, unused: { count: unused.length, more } };
}

/** How many of these keys are active, and how many of them expire soon. */
export function countStates(keys: WithKeys['keys'], at: Date): { readonly active: number; readonly expiring: number } {
  const active = matchedKeys(keys).filter(({ state }) => isActive(state, at));
  const expiring = active.filter((key) => isMatching(key, { endsWithin: keyAttention.endsWithin }, at)).length;
  return { active: active.length, expiring };
}

const beginning: KeyPlace = { page: null, appId: '', ulid: '' };

interface Step {
  /** Undefined at the end of a page of applications. */
  readonly key?: ListedKeyView;
  /** Where to continue; `null` at the end. */
  readonly place: KeyPlace | null;
}

const applicationsPerRequest = 100;
const usesPerRequest = 100;
const maxRequests = 20;

/** The keys after a position that match the filter, except for `unusedFor`, which the caller checks. */
async function* walk(start: KeyPlace, { limit, filter, limitedTo }: AllKeysRequest, at: Date): AsyncGenerator<Step> {
  const batchSize = filter.unusedFor === undefined ? Math.min(limit, usesPerRequest) : usesPerRequest;
  const budget = { requests: maxRequests };
  let place = start;
  while (budget.requests-- > 0) {
    const { page, ...last } = place;
    const pageOfApplications = { limit: applicationsPerRequest, cursor: page ?? undefined, list: 'keys' };
    const { items, cursor } = await readApplicationPage(pageOfApplications, limitedTo);
    const keys = items.flatMap(keysOf).filter((key) => isAfter(key, last) && isMatching(key, filter, at));
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

/** Adds the last day of use to each key, read in batches; stops when no requests are left. */
async function* viewsOf(
  keys: readonly StoredKey[],
  batchSize: number,
  budget: { requests: number },
): AsyncGenerator<ListedKeyView> {
  for (let first = 0; first < keys.length && budget.requests-- > 0; first += batchSize) {
    const batch = keys.slice(first, first + batchSize);
    const uses = await readKeyUses(batch);
    yield* batch.map(({ application, appId, keyId, state }, n) => ({
      ...keyView(keyId, state, { lastUsedOn: uses[n], replacedBy: successorOf(application.keys, keyId) }),
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
  readonly isReplaced: boolean;
}

function keysOf(application: Application): StoredKey[] {
  const { appId, keys } = application;
  return matchedKeys(keys)
    .map((key) => ({ application, appId, ...key }))
    .sort((one, other) => (ulidOf(one.keyId) < ulidOf(other.keyId) ? 1 : -1));
}

function isAfter({ appId, keyId }: StoredKey, last: Pick<KeyPlace, 'appId' | 'ulid'>): boolean {
  return appId > last.appId || (appId === last.appId && ulidOf(keyId) < last.ulid);
}

interface MatchedKey<State extends KeyState<string> = KeyState<string>> {
  readonly keyId: string;
  readonly state: State;
  /** Whether a rotation replaced it: then its end is intended. */
  readonly isReplaced: boolean;
}

function isMatching({ state, isReplaced }: MatchedKey, filter: KeyFilter, at: Date): boolean {
  const { state: wanted, endsWithin: seconds } = filter;
  if (wanted !== undefined && isActive(state, at) !== (wanted === 'active')) return false;
  return seconds === undefined || (!isReplaced && endsWithin(state, seconds, at));
}

/** The keys of an application or a connection, as they are matched. */
function matchedKeys<State extends KeyState<string>>(keys: Readonly<Record<string, State>>): MatchedKey<State>[] {
  return Object.entries(keys).map(([keyId, state]) => ({
    keyId,
    state,
    isReplaced: successorOf(keys, keyId) !== null,
  }));
}

function isUnused(key: Pick<ListedKeyView, 'createdAt' | 'lastUsedOn'>, { unusedFor }: KeyFilter, at: Date): boolean {
  return unusedFor === undefined || isUnusedFor(key, unusedFor, at);
}
