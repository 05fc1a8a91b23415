import { isDeepStrictEqual } from 'node:util';
import { accessFields } from '#shared/contract/access-fields.ts';
import { maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { bulkHours } from '#shared/contract/bulk.ts';
import { equalFields, pickFields } from '#shared/contract/field-forms.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import { type ApiKey, type CallRecord, hasLateAttempt } from '../clients.ts';
import { cachedMilliseconds, keyStateCacheSeconds } from '../load-code.ts';
import { type Answer, scopes } from '../operations.ts';
import {
  accessKey,
  accessOf,
  applicationKey,
  connectionKey,
  groupRolesOf,
  isAccess,
  isLive,
  memberOf,
  roleKey,
  type StoredGroupRole,
  userKey,
} from '../stored-state.ts';
import { bounds } from '../swarm.ts';
import { noUserId } from '../workload.ts';
import type { Histories } from './histories.ts';

/** How far two clocks differ, and how long a key may be known. */
export const tolerance = 3 * bounds.skewMilliseconds + keyStateCacheSeconds * 1000;

/** The result for one subject; a bulk call has one for each user. */
export interface Told {
  readonly operation: string;
  readonly input: Input;
  readonly outcome: Answer;
  /** Whether it is part of a bulk call. */
  readonly isPart?: boolean;
}

export interface Input {
  readonly userId: string;
  readonly appId: string;
  readonly role: string;
  readonly keyId: string;
  readonly ifMatch?: readonly number[];
  readonly grant: { readonly role: string; readonly expiresAt: string | null };
  readonly setting: { readonly status: string; readonly reason: string | null; readonly until: string | null };
  readonly expiresAt?: string | null;
  /** Of a call about a connection. */
  readonly connectionId?: string;
  readonly groupRoles?: readonly StoredGroupRole[];
  readonly [field: string]: unknown;
}

/** The stored state during a call. */
export class DuringCall {
  readonly #told: Told;
  readonly #call: CallRecord;
  readonly #histories: Histories;
  readonly #from: number;
  readonly #to: number;

  constructor(told: Told, call: CallRecord, histories: Histories) {
    this.#told = told;
    this.#call = call;
    this.#histories = histories;
    this.#from = call.startedAt;
    this.#to = call.endedAt ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the error was correct at some instant. */
  isRefusedRightly(code: string): boolean {
    const { userId, appId, role, grant, ifMatch } = this.#told.input;
    const { key, replays } = this.#call;
    switch (code) {
      case 'user_not_found':
        return this.#users().some((user) => !isLive(user));
      case 'application_not_found':
        return this.#applications().some((application) => !isLive(application));
      case 'connection_not_found':
        return this.#subject().some((connection) => !isLive(connection));
      case 'role_not_found':
        return this.#at(roleKey(appId, role ?? grant.role)).some((found) => !isLive(found));
      case 'already_exists':
        return this.#at(userId === undefined ? applicationKey(appId) : userKey(userId)).some(
          (item) => item !== undefined && item.erased !== true,
        );
      case 'key_revoked':
        return this.#applications().some((application) => !isActiveIn(application, key?.keyId ?? '', undefined));
      case 'key_expired':
        return this.#applications().some((found) => !isActiveIn(found, key?.keyId ?? '', this.#to));
      case 'key_not_found':
        return this.#subject().some((found) => !isActiveIn(found, this.#told.input.keyId, this.#to));
      case 'too_many_keys':
        return this.#subject().some((found) => activeKeys(found, this.#from - tolerance) >= maxKeysPerOwner);
      case 'version_mismatch':
        return this.#subject().some((item) => !ifMatch?.includes(Number(item?.version ?? 0)));
      case 'role_in_use':
        return this.#any((item) => memberOf(item)?.role === role && memberOf(item)?.appId === appId).length > 0;
      case 'application_in_use':
        return this.#any((item) => isAccess(item) && item.appId === appId).length > 0;
      case 'invalid_request':
        return this.#isEndReached(this.#to) || this.#isMalformed() || this.#isBulkOver() || this.#lacksRole();
      case 'scope_missing':
        return key !== undefined && !this.#hasScope();
      case 'too_many_requests':
        return key !== undefined;
      case 'nonce_replayed':
        return replays.length > 0 || hasLateAttempt(this.#call);
      default:
        return false;
    }
  }

  /** Why this could not be allowed at any instant; undefined if it could. */
  whyForbidden(): string | undefined {
    const { operation, input } = this.#told;
    const { userId, appId, grant, ifMatch } = input;
    const { key } = this.#call;
    if (operation.startsWith('create-') || operation.startsWith('delete-')) return undefined;
    if (appId !== undefined && !this.#authorizing().some(isLive)) return 'there was no application';
    if (userId !== undefined && !this.#users().some(isLive)) return 'there was no user';
    if (grant !== undefined && !this.#at(roleKey(appId, grant.role)).some(isLive)) return 'there was no role';
    if (key !== undefined && !this.#isAllowed(key)) return 'the key lacks the scope, was revoked or had expired';
    if (this.#isMalformed()) return 'it is malformed';
    if (ifMatch !== undefined && !this.#subject().some((item) => ifMatch.includes(Number(item?.version ?? 0))))
      return 'it was at another version';
    return this.#isEndReached(this.#from - 2 * bounds.skewMilliseconds) ? 'its expiry had passed' : undefined;
  }

  /** Whether another call was deleting it. */
  isDeleting(): boolean {
    return this.#subject().some((item) => item?.deleting === true);
  }

  /** Whether nothing had to change at some instant. */
  heldAlready(): boolean {
    const { operation, input } = this.#told;
    switch (operation) {
      case 'set-access':
        return this.#accesses().some((access) => isSet(access, input.setting) && this.#isTold(access));
      case 'assign-role':
        return this.#accesses().some(
          (access) => grantOf(access, input.grant.role)?.expiresAt === input.grant.expiresAt,
        );
      case 'revoke-role':
        return this.#accesses().some((access) => isOver(grantOf(access, input.role), this.#to));
      case 'update-user':
      case 'set-user-status':
      case 'update-application':
      case 'define-role':
        return this.#subject().some((item) => isLive(item) && hasFields(item, input) && this.#isTold(item));
      case 'revoke-key':
        return this.#subject().some((owner) => !isActiveIn(owner, input.keyId, undefined));
      case 'update-connection':
        return this.#subject().some((item) => isLive(item) && isDeepStrictEqual(groupRolesOf(item), input.groupRoles));
      case 'delete-connection':
      case 'delete-user':
      case 'delete-role':
      case 'delete-application':
        return this.#subject().some((item) => !isLive(item));
      default:
        return false;
    }
  }

  /** Whether the response describes this version. */
  #isTold(item: Item | undefined): boolean {
    const { outcome, isPart = false } = this.#told;
    return isPart || (outcome.kind === 'done' && outcome.body.version === item?.version && !outcome.body.created);
  }

  /** The item that the call changes. */
  #subject(): (Item | undefined)[] {
    const { operation, input } = this.#told;
    if (input.connectionId !== undefined) return this.#at(connectionKey(input.connectionId));
    if (operation.endsWith('-role') && input.userId === undefined) return this.#at(roleKey(input.appId, input.role));
    if (input.userId === undefined) return this.#applications();
    return input.appId === undefined ? this.#users() : this.#accesses();
  }

  #users() {
    return this.#at(userKey(this.#told.input.userId));
  }

  #applications() {
    return this.#at(applicationKey(this.#told.input.appId));
  }

  #accesses() {
    return this.#at(accessKey(this.#told.input.userId, this.#told.input.appId));
  }

  #at(key: { readonly pk: string; readonly sk: string }): (Item | undefined)[] {
    return this.#histories.during(key, this.#from, this.#to);
  }

  #isAllowed({ keyId }: ApiKey): boolean {
    return this.#hasScope() && this.#authorizing().some((found) => isActiveIn(found, keyId, this.#from - tolerance));
  }

  /** A process may cache the application, and so its keys, for some seconds. */
  #authorizing(): (Item | undefined)[] {
    const from = this.#from - cachedMilliseconds(this.#told.operation);
    return this.#histories.during(applicationKey(this.#told.input.appId), from, this.#to);
  }

  /** Whether it sets an expiry without a block, or has an invalid id. */
  #isMalformed(): boolean {
    const { setting, userId } = this.#told.input;
    return userId === noUserId || (setting !== undefined && setting.until !== null && setting.status !== 'disabled');
  }

  /** Whether the bulk began longer ago than its requests may follow. */
  #isBulkOver(): boolean {
    const { bulkId } = this.#told.input;
    return (
      bulkId !== undefined && timeOfUlid(String(bulkId)) < this.#to + bounds.skewMilliseconds - bulkHours * 3_600_000
    );
  }

  /** Whether a group would give a role that is not defined. */
  #lacksRole(): boolean {
    const { groupRoles = [] } = this.#told.input;
    return groupRoles.some(({ appId, role }) => this.#at(roleKey(appId, role)).some((found) => !isLive(found)));
  }

  #any(isMeant: (item: Item) => boolean): Item[] {
    return this.#histories.allDuring(isMeant, this.#from, this.#to);
  }

  /** By the clock of any process. */
  #isEndReached(at: number): boolean {
    const { grant, setting, expiresAt } = this.#told.input;
    const end = grant?.expiresAt ?? setting?.until ?? expiresAt ?? null;
    return end !== null && Date.parse(end) <= at + bounds.skewMilliseconds;
  }

  #hasScope(): boolean {
    return this.#call.key?.scopes.some((scope) => scope === scopes[this.#told.operation]) ?? false;
  }
}

/** Whether a key was valid, or was rotated, at this time; without a time, whether it exists and was not revoked. */
export function isActiveIn(application: Item | undefined, keyId: string, at: number | undefined): boolean {
  if (!isLive(application)) return false;
  const key = (application.keys as Readonly<Record<string, StoredKey>>)[keyId];
  if (key === undefined || (key.revokedAt ?? null) !== null) return false;
  return (
    at === undefined ||
    (key.expiresAt ?? null) === null ||
    Date.parse(String(key.expiresAt)) > at + bounds.skewMilliseconds
  );
}

export function activeKeys(application: Item | undefined, at: number): number {
  const ids = Object.keys(isLive(application) ? (application.keys as object) : {});
  return ids.filter((keyId) => isActiveIn(application, keyId, at)).length;
}

export interface StoredKey {
  readonly expiresAt?: string | null;
  readonly revokedAt?: string | null;
}

export function isSet(item: Item | undefined, setting: Input['setting']): boolean {
  if (item === undefined) return false;
  const access = accessOf(item);
  return access.status === setting.status && equalFields(accessFields, access, pickFields(accessFields, setting));
}

export function grantOf(item: Item | undefined, role: string) {
  return item === undefined ? undefined : accessOf(item).roles[role];
}

function isOver(grant: { readonly expiresAt: string | null } | undefined, at: number): boolean {
  return (
    grant === undefined || (grant.expiresAt !== null && Date.parse(grant.expiresAt) <= at + bounds.skewMilliseconds)
  );
}

const plainFields = ['displayName', 'email', 'name', 'description', 'status'];

/** Whether an item has the values that the input requests. */
export function hasFields(item: Item, input: Input): boolean {
  return plainFields.every((name) => input[name] === undefined || input[name] === (item[name] ?? null));
}
