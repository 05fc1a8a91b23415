import { isDeepStrictEqual } from 'node:util';
import type { CallRecord } from '../clients.ts';
import { type Answer, isRead, type OperationName, operator, scopes, sourceIp } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import type { Item } from '../simulated-table.ts';
import {
  accessKey,
  accessOf,
  applicationKey,
  isAccess,
  isLive,
  memberOf,
  roleKey,
  type StoredChange,
  subjectOf,
  userKey,
} from '../stored-state.ts';
import { bounds } from '../swarm.ts';
import { effectsOf } from './acknowledged.ts';
import { Histories } from './histories.ts';

/**
 * What a client is told was true at some instant of the call: why it is refused, that nothing had to be changed, and what
 * was changed into what.
 */
export function checkAnswers(run: Run): string[] {
  const histories = new Histories(run.commits);
  return run.calls.flatMap((call) => answersOf(call).flatMap((told) => wrongOf(told, call, run, histories)));
}

/** What is told about one subject; a bulk call tells it for each user. */
interface Told {
  readonly operation: OperationName;
  readonly input: Input;
  readonly outcome: Answer;
}

interface Input {
  readonly userId: string;
  readonly appId: string;
  readonly role: string;
  readonly keyId: string;
  readonly ifMatch?: readonly number[];
  readonly grant: { readonly role: string; readonly expiresAt: string | null };
  readonly setting: { readonly status: string; readonly reason: string | null; readonly until: string | null };
  readonly expiresAt?: string | null;
  readonly [field: string]: unknown;
}

function answersOf({ operation, input, outcome }: CallRecord): Told[] {
  if (outcome === undefined || (isRead(operation) && operation !== 'get-access')) return [];
  const whole = { operation, input: input as Input, outcome };
  if (operation !== 'set-access-in-bulk' || outcome.kind !== 'done') return [whole];
  const items = outcome.body.items as readonly BulkOutcome[];
  return items.map(({ userId, outcome: part, problem }) => ({
    operation: 'set-access',
    input: { ...(input as Input), userId },
    outcome:
      part === 'failed'
        ? { kind: 'refused', code: problem?.code ?? '', status: problem?.code === 'unavailable' ? 503 : 400 }
        : { kind: 'done', body: { changed: part === 'changed' } },
  }));
}

interface BulkOutcome {
  readonly userId: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  readonly problem?: { readonly code: string };
}

function wrongOf(told: Told, call: CallRecord, run: Run, histories: Histories): string[] {
  const { operation, input, outcome } = told;
  const during = new During(told, call, histories);
  const where = `${call.id} ${operation} ${JSON.stringify(input)}`;
  if (outcome.kind === 'failed') return [];
  if (outcome.kind === 'refused') {
    if (outcome.status === 503 && call.startedAt >= run.faultsFrom) return [];
    return during.isRefusedRightly(outcome.code) ? [] : [`${where} was refused without a reason: ${outcome.code}`];
  }
  const forbidden = during.whyForbidden();
  if (forbidden !== undefined) return [`${where} was allowed: ${forbidden}`];
  if (outcome.body.changed === false) return during.heldAlready() ? [] : [`${where} was not so, and was not changed`];
  const wrong = wrongChange(told, call, run);
  return wrong === undefined ? [] : [`${where}: ${wrong}`];
}

/** What was stored while a call was under way. */
class During {
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

  /** Whether there was an instant at which the refusal was right. */
  isRefusedRightly(code: string): boolean {
    const { userId, appId, role, grant, ifMatch } = this.#told.input;
    const { key, replays } = this.#call;
    switch (code) {
      case 'user_not_found':
        return this.#users().some((user) => !isLive(user));
      case 'application_not_found':
        return this.#applications().some((application) => !isLive(application));
      case 'role_not_found':
        return this.#at(roleKey(appId, role ?? grant.role)).some((found) => !isLive(found));
      case 'already_exists':
        return this.#at(userId === undefined ? applicationKey(appId) : userKey(userId)).some(
          (item) => item !== undefined && item.erased !== true,
        );
      case 'key_revoked':
        return this.#applications().some((application) => !isActiveIn(application, key?.keyId ?? '', undefined));
      case 'key_not_found':
        return this.#applications().some((found) => !isActiveIn(found, this.#told.input.keyId, this.#to));
      case 'version_mismatch':
        return this.#subject().some((item) => !ifMatch?.includes(Number(item?.version ?? 0)));
      case 'role_in_use':
        return this.#any((item) => memberOf(item)?.role === role && memberOf(item)?.appId === appId).length > 0;
      case 'application_in_use':
        return this.#any((item) => isAccess(item) && item.appId === appId).length > 0;
      case 'invalid_request':
        return this.#isEndReached(this.#to);
      case 'scope_missing':
        return key !== undefined && !this.#hasScope();
      case 'nonce_replayed':
        return replays.length > 0;
      default:
        return false;
    }
  }

  /** Why there was no instant at which this could be allowed; undefined where there was one. */
  whyForbidden(): string | undefined {
    const { operation, input } = this.#told;
    const { userId, appId, grant, ifMatch } = input;
    const { key } = this.#call;
    if (operation.startsWith('create-') || operation.startsWith('delete-')) return undefined;
    if (appId !== undefined && !this.#applications().some(isLive)) return 'there was no application';
    if (userId !== undefined && !this.#users().some(isLive)) return 'there was no user';
    if (grant !== undefined && !this.#at(roleKey(appId, grant.role)).some(isLive)) return 'there was no role';
    if (key !== undefined && !this.#hasScope()) return 'the key lacks the scope';
    if (key !== undefined && !this.#applications().some((found) => isActiveIn(found, key.keyId, undefined)))
      return 'the key was revoked';
    if (ifMatch !== undefined && !this.#subject().some((item) => ifMatch.includes(Number(item?.version ?? 0))))
      return 'it was at another version';
    return this.#isEndReached(this.#from - 2 * bounds.skewMilliseconds) ? 'its end had passed' : undefined;
  }

  /** Whether there was an instant at which nothing had to be changed. */
  heldAlready(): boolean {
    const { operation, input } = this.#told;
    switch (operation) {
      case 'set-access':
        return this.#accesses().some((access) => isSet(access, input.setting));
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
        return this.#subject().some((item) => isLive(item) && hasFields(item, input));
      case 'revoke-key':
        return this.#applications().some((application) => !isActiveIn(application, input.keyId, undefined));
      case 'delete-user':
      case 'delete-role':
      case 'delete-application':
        return this.#subject().some((item) => !isLive(item));
      default:
        return false;
    }
  }

  /** The item that the call changes. */
  #subject(): (Item | undefined)[] {
    const { operation, input } = this.#told;
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

  /** Also what the index may still have shown. */
  #any(isMeant: (item: Item) => boolean): Item[] {
    return this.#histories.allDuring(isMeant, this.#from - bounds.indexLagMilliseconds, this.#to);
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

/** Whether a key may be used, or was rotated, at this time; without one, whether it is there and was not revoked. */
function isActiveIn(application: Item | undefined, keyId: string, at: number | undefined): boolean {
  if (!isLive(application)) return false;
  const key = (application.keys as Readonly<Record<string, StoredKey>>)[keyId];
  if (key === undefined || (key.revokedAt ?? null) !== null) return false;
  return (
    at === undefined ||
    (key.expiresAt ?? null) === null ||
    Date.parse(String(key.expiresAt)) > at + bounds.skewMilliseconds
  );
}

interface StoredKey {
  readonly expiresAt?: string | null;
  readonly revokedAt?: string | null;
}

function isSet(item: Item | undefined, { status, reason, until }: Input['setting']): boolean {
  if (item === undefined) return false;
  const access = accessOf(item);
  return access.status === status && access.reason === reason && access.until === until;
}

function grantOf(item: Item | undefined, role: string) {
  return item === undefined ? undefined : accessOf(item).roles[role];
}

function isOver(grant: { readonly expiresAt: string | null } | undefined, at: number): boolean {
  return (
    grant === undefined || (grant.expiresAt !== null && Date.parse(grant.expiresAt) <= at + bounds.skewMilliseconds)
  );
}

const plainFields = ['displayName', 'email', 'name', 'description', 'status'];

/** Whether an item has what the input asks for. */
function hasFields(item: Item, input: Input): boolean {
  return plainFields.every((name) => input[name] === undefined || input[name] === (item[name] ?? null));
}

/** What the change made of the item is what was asked for, and what was answered. */
function wrongChange({ operation, input, outcome }: Told, call: CallRecord, run: Run): string | undefined {
  const [effect] = effectsOf({ ...call, operation }, run.changes).filter(
    ({ change }) => change.userId === input.userId,
  );
  if (effect === undefined || outcome.kind !== 'done') return undefined;
  const { change, position } = effect;
  const { pk, sk } = subjectOf(change);
  const { after } = run.commits[position]?.mutations.find((item) => item.pk === pk && item.sk === sk) ?? {};
  if (after === undefined) return 'the change did not write its subject';
  const written = operation === 'delete-user' ? undefined : wrongFields(operation, input, outcome.body, after);
  return written ?? wrongChangeRecord(call, input, change);
}

function wrongFields(operation: OperationName, input: Input, body: Answered, after: Item): string | undefined {
  if (operation.startsWith('delete-')) return undefined;
  if (operation.endsWith('-key')) return wrongKey(operation, input, body, after);
  if (isAccess(after)) return wrongAccess(operation, input, body, after);
  if (!hasFields(after, input)) return 'the change wrote something else';
  const differs = Object.entries(body).filter(
    // A name and an e-mail address are answered as they are now.
    ([name, value]) =>
      !['changed', 'created', 'displayName', 'email'].includes(name) && (after[name] ?? null) !== value,
  );
  return differs.length === 0 ? undefined : `answers ${JSON.stringify(differs)}, and wrote something else`;
}

type Answered = Readonly<Record<string, unknown>>;

function wrongAccess(operation: OperationName, input: Input, body: Answered, after: Item): string | undefined {
  const { status, until, reason, version, roles } = accessOf(after);
  if (operation === 'set-access' && !isSet(after, input.setting)) return 'the change set something else';
  if (operation === 'assign-role' && grantOf(after, input.grant.role)?.expiresAt !== input.grant.expiresAt)
    return 'the change gave something else';
  if (operation === 'revoke-role' && roles[input.role] !== undefined) return 'the change took nothing back';
  const stored = { status: status ?? 'enabled', explicit: status !== null, until, reason, version };
  const told = { userId: input.userId, appId: input.appId, ...stored, updatedAt: after.updatedAt };
  const differs = Object.entries(told).filter(([name, value]) => name in body && body[name] !== value);
  const isForeign = ((body.roles ?? []) as readonly { name: string }[]).some(({ name }) => roles[name] === undefined);
  return differs.length === 0 && !isForeign ? undefined : `answers ${JSON.stringify(body)}, and wrote something else`;
}

/** A Change says who made it, by which request and with which reason. */
function wrongChangeRecord(
  { key, attempts, replays }: CallRecord,
  input: Input,
  change: StoredChange,
): string | undefined {
  const caller = key === undefined ? operator : { kind: 'api-key', appId: key.appId, keyId: key.keyId };
  const isSame = JSON.stringify(change.caller) === JSON.stringify(caller) && change.sourceIp === sourceIp;
  if (!isSame) return `the Change names ${JSON.stringify(change.caller)} at ${change.sourceIp}`;
  if (![...attempts, ...replays].some(({ requestId }) => requestId === change.requestId))
    return 'names another request';
  const reason = input.setting?.reason ?? input.reason ?? null;
  return change.reason === reason ? undefined : `the Change has the reason ${change.reason}`;
}

function wrongKey(operation: OperationName, input: Input, body: Answered, after: Item): string | undefined {
  const keys = after.keys as Readonly<Record<string, StoredKey & Item>>;
  const old = keys[input.keyId];
  if (operation === 'revoke-key') return typeof old?.revokedAt === 'string' ? undefined : 'the key is not revoked';
  const issued = keys[String(body.keyId)];
  if (issued === undefined || !isActiveIn(after, String(body.keyId), undefined)) return 'the key is not there';
  const expected = operation === 'issue-key' ? input : { scopes: old?.scopes, expiresAt: issued.expiresAt };
  const isSame = isDeepStrictEqual(issued.scopes, expected.scopes) && issued.expiresAt === expected.expiresAt;
  if (!isSame || body.secret === undefined) return 'the key is another one';
  const until = Date.parse(String(after.updatedAt)) + Number(input.overlapSeconds) * 1000 + bounds.skewMilliseconds;
  const isOver = operation === 'issue-key' || Date.parse(String(old?.expiresAt)) <= until;
  return isOver ? undefined : 'the old key stays';
}
