import { isDeepStrictEqual } from 'node:util';
import { accessFields } from '#shared/contract/access-fields.ts';
import { maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import type { ApiKey, CallRecord } from '../clients.ts';
import { type Answer, isChecked, isRead, type OperationName, operatorCaller, singles, whyOf } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import { sourceIp } from '../source-ip.ts';
import { accessOf, isAccess, isLive, type StoredChange, subjectOf, userKey } from '../stored-state.ts';
import { bounds } from '../swarm.ts';
import { effectsOf } from './acknowledged.ts';
import {
  activeKeys,
  DuringCall,
  grantOf,
  hasFields,
  type Input,
  isActiveIn,
  isSet,
  type StoredKey,
  type Told,
  tolerance,
} from './during-call.ts';
import { Histories } from './histories.ts';
import { type BulkOutcome, partsOf } from './parts.ts';

/**
 * Checks that each response was true at some instant of the call: the reason of an error, that nothing had to change,
 * and what changed.
 */
export function checkAnswers(run: Run): string[] {
  const histories = new Histories(run.commits);
  return run.calls.flatMap((call) => answersOf(call).flatMap((told) => wrongOf(told, call, run, histories)));
}

function answersOf(call: CallRecord): Told[] {
  const { operation, input, outcome } = call;
  if (outcome === undefined || (isRead(operation) && operation !== 'get-access')) return [];
  const whole = { operation: sameAs[operation] ?? operation, input: input as Input, outcome };
  if (operation.startsWith('undo-')) return [];
  if (!isChecked(operation)) return [];
  if (singles[operation] === undefined || outcome.kind !== 'done') return [whole];
  const answered = (outcome.body.items as readonly BulkOutcome[]).map(({ userId }) => userId);
  const { userIds } = input as { readonly userIds: readonly string[] };
  return isDeepStrictEqual(answered, userIds) ? partsOf(call) : [{ ...whole, outcome: { ...notForEach, said: [] } }];
}

/** What operators do with the keys of a connection is what they do with those of an application. */
const sameAs: Readonly<Partial<Record<string, OperationName>>> = {
  'issue-connection-key': 'issue-key',
  'rotate-connection-key': 'rotate-key',
  'revoke-connection-key': 'revoke-key',
};

const notForEach = { kind: 'refused', code: 'not answered for each user', status: 400 } as const;

function wrongOf(told: Told, call: CallRecord, run: Run, histories: Histories): string[] {
  const { operation, input, outcome } = told;
  const during = new DuringCall(told, call, histories);
  const wrong =
    wrongAnswer(outcome, during, call.startedAt >= run.faultsFrom) ?? wrongEffect(told, call, run, histories);
  return wrong === undefined ? [] : [`${call.id} ${operation} ${JSON.stringify(input)}: ${wrong}`];
}

function wrongAnswer(outcome: Answer, during: DuringCall, hasFaults: boolean): string | undefined {
  if (outcome.kind === 'failed') return undefined;
  if (outcome.kind === 'refused') {
    if (!outcome.said.every(isCompleteText)) return `was refused with ${JSON.stringify(outcome)}`;
    if (outcome.status === 503 && hasFaults) return undefined;
    return during.isRefusedRightly(outcome.code) ? undefined : `was refused although nothing justified ${outcome.code}`;
  }
  const forbidden = during.whyForbidden();
  if (forbidden !== undefined) return `was allowed: ${forbidden}`;
  return outcome.body.changed !== false || during.heldAlready()
    ? undefined
    : 'was answered as unchanged, but was not in this state';
}

function wrongEffect(told: Told, call: CallRecord, run: Run, histories: Histories): string | undefined {
  const { operation, outcome } = told;
  if (outcome.kind !== 'done') return undefined;
  if (operation.startsWith('delete-') && !isDeletion(outcome.body)) return 'the response does not describe a deletion';
  if (outcome.body.complete === false && call.startedAt < run.faultsFrom)
    return 'the deletion is incomplete without a fault';
  if (outcome.body.changed === false) return undefined;
  return wrongChange(told, call, run, new DuringCall(told, call, histories)) ?? wrongUse(told, call, run, histories);
}

/** Whether a text is complete, without a missing name. */
function isCompleteText(text: string): boolean {
  return text.trim() !== '' && !/ {2}|""|undefined|\[object|NaN|^ | $/.test(text);
}

/** Checks that the change set what was requested and what the response says. */
function wrongChange(told: Told, call: CallRecord, run: Run, during: DuringCall): string | undefined {
  const { operation, input, outcome } = told;
  const [effect] = effectsOf({ ...call, operation }, run.changes).filter(
    ({ change }) => change.userId === input.userId,
  );
  if (effect === undefined && operation.startsWith('delete-') && !during.isDeleting()) return 'it was never deleted';
  if (effect === undefined || outcome.kind !== 'done') return undefined;
  const { change, position } = effect;
  const { pk, sk } = subjectOf(change);
  const { after } = run.commits[position]?.mutations.find((item) => item.pk === pk && item.sk === sk) ?? {};
  if (after === undefined) return 'the change did not write its subject';
  const written = operation === 'delete-user' ? undefined : wrongFields(told, outcome.body, after, change);
  return written ?? wrongChangeRecord(call, input, change);
}

function wrongFields(
  { operation, input, outcome, isPart }: Told,
  body: Answered,
  after: Item,
  change: StoredChange,
): string | undefined {
  if (operation.startsWith('delete-')) return undefined;
  if (operation.endsWith('-key')) return wrongKey({ operation, input, outcome }, body, after, change);
  if (isAccess(after)) return wrongAccess(operation, input, isPart ? undefined : body, after);
  if ('created' in body && body.created !== (change.before === null)) return 'the response is wrong about the creation';
  if (!hasFields(after, input)) return 'the change wrote other values than requested';
  // A bulk response says for each user only whether it was changed.
  if (isPart) return undefined;
  const differs = viewed.filter((name) => name in after && body[name] !== (after[name] ?? null));
  return differs.length === 0 ? undefined : `the response differs from what was written in ${differs.join(', ')}`;
}

/** All fields of a response except name and e-mail address, which have their current values. */
const viewed = ['userId', 'appId', 'role', 'status', 'name', 'description', 'version', 'createdAt', 'updatedAt'];

type Answered = Readonly<Record<string, unknown>>;

function wrongAccess(operation: string, input: Input, body: Answered | undefined, after: Item): string | undefined {
  const access = accessOf(after);
  const { status, version, roles } = access;
  if (operation === 'set-access' && !isSet(after, input.setting)) return 'the change set another status than requested';
  if (operation === 'assign-role' && grantOf(after, input.grant.role)?.expiresAt !== input.grant.expiresAt)
    return 'the change did not grant the role as requested';
  if (operation === 'revoke-role' && roles[input.role] !== undefined) return 'the change did not revoke the role';
  if (body === undefined) return undefined;
  const setting = { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
  const stored = { ...setting, version };
  const told = { userId: input.userId, appId: input.appId, ...stored, updatedAt: after.updatedAt };
  const differs = Object.entries(told).filter(([name, value]) => body[name] !== value);
  const isForeign = ((body.roles ?? []) as readonly { name: string }[]).some(({ name }) => roles[name] === undefined);
  return differs.length === 0 && !isForeign
    ? undefined
    : `the response differs from what was written: ${JSON.stringify(body)}`;
}

/** Checks that a Change names its caller, request, reason and ticket. */
export function wrongChangeRecord(
  { operation, key, attempts, replays }: CallRecord,
  input: Partial<Input>,
  change: StoredChange,
): string | undefined {
  const sent = [...attempts, ...replays].find(({ requestId }) => requestId === change.requestId);
  if (sent === undefined) return 'the Change names another request';
  const caller = key === undefined ? operatorCaller(sent.operator, change.appId) : applicationCaller(key);
  const isSame = isDeepStrictEqual(change.caller, caller) && change.sourceIp === sourceIp;
  if (!isSame) return `the Change names ${JSON.stringify(change.caller)} at ${change.sourceIp}`;
  const { reason: why = null, ticket } = whyOf(operation, change.requestId);
  const reason = input.setting?.reason ?? input.reason ?? why;
  if (change.ticket !== ticket) return `the Change has the ticket ${change.ticket}`;
  return change.reason === reason ? undefined : `the Change has the reason ${change.reason}`;
}

function applicationCaller({ appId, keyId }: ApiKey) {
  return { kind: 'api-key', appId, keyId };
}

function wrongKey({ operation, input }: Told, body: Answered, after: Item, change: StoredChange): string | undefined {
  const keys = after.keys as Readonly<Record<string, StoredKey & Item>>;
  const old = keys[input.keyId];
  if (activeKeys(after, Date.parse(change.at)) > maxKeysPerOwner) return 'there are too many keys';
  if (operation === 'revoke-key') {
    const isNamed = change.before?.revokedAt === null && change.after?.revokedAt === old?.revokedAt;
    return isNamed && typeof old?.revokedAt === 'string' ? undefined : 'the key is not revoked';
  }
  const issued = keys[String(body.keyId)];
  if (issued === undefined || !isActiveIn(after, String(body.keyId), undefined)) return 'the key is missing';
  const seconds = ({ createdAt, expiresAt }: Item) =>
    expiresAt ? Math.round((Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / 1000) : null;
  if (issued.lifetimeSeconds !== seconds(issued)) return 'the key has a different lifetime';
  if ((body.secret ?? body.token) === undefined || body.expiresAt !== issued.expiresAt)
    return 'the response describes another key';
  return operation === 'issue-key' ? wrongIssue(input, issued, change) : wrongRotation(input, issued, old, change);
}

function wrongIssue(input: Input, issued: StoredKey & Item, { after }: StoredChange): string | undefined {
  const isSame = isDeepStrictEqual(issued.scopes, input.scopes) && issued.expiresAt === input.expiresAt;
  const isNamed = after?.scopes === (input.scopes as string[]).join(' ') && after?.expiresAt === input.expiresAt;
  return isSame && isNamed ? undefined : 'the key differs from the requested one';
}

/** Checks that the old key expires with the overlap or earlier, and that the new one has its scopes and lifetime. */
function wrongRotation(
  { keyId, overlapSeconds, expiresAt }: Input,
  issued: StoredKey & Item,
  old: (StoredKey & Item) | undefined,
  { at, before, after }: StoredChange,
): string | undefined {
  const isSame = isDeepStrictEqual(issued.scopes, old?.scopes);
  const isRenewed =
    expiresAt === undefined ? issued.lifetimeSeconds === old?.lifetimeSeconds : issued.expiresAt === expiresAt;
  const overlapEnd = Date.parse(at) + Number(overlapSeconds) * 1000;
  const ends = [overlapEnd, ...(typeof before?.expiresAt === 'string' ? [Date.parse(before.expiresAt)] : [])];
  const isOver = Math.abs(Date.parse(String(old?.expiresAt)) - Math.min(...ends)) <= tolerance;
  const isNamed =
    issued.replaces === keyId &&
    before?.keyId === keyId &&
    after?.keyId === keyId &&
    after?.expiresAt === old?.expiresAt;
  return isSame && isRenewed && isOver && isNamed ? undefined : 'the key was not rotated into this one';
}

function isDeletion(body: Answered): boolean {
  return typeof body.changed === 'boolean' && typeof body.complete === 'boolean';
}

/** Checks that only unused roles and applications are deleted without force. */
function wrongUse({ operation, input }: Told, call: CallRecord, run: Run, histories: Histories): string | undefined {
  const [effect] = effectsOf(call, run.changes);
  if (input.force !== false || effect === undefined) return undefined;
  const { at } = effect;
  const isOpen = (end: string | null) => end === null || Date.parse(end) > at + 2 * bounds.skewMilliseconds;
  const isUsed = (item: Item) => {
    if (!isAccess(item) || item.appId !== input.appId) return false;
    const { userId, status, roles } = accessOf(item);
    if (!histories.during(userKey(userId), at, at).every(isLive)) return false;
    const held = Object.keys(roles).filter((role) => isOpen(roles[role]?.expiresAt ?? null));
    return operation === 'delete-role' ? held.includes(input.role) : status !== null || held.length > 0;
  };
  const used = histories.allDuring(isUsed, at, at);
  return used.length === 0 ? undefined : `it was in use: ${JSON.stringify(used[0])}`;
}
