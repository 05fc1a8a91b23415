import { isDeepStrictEqual } from 'node:util';
import type { CallRecord } from '../clients.ts';
import { isRead, type OperationName, operator, sourceIp } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import type { Item } from '../simulated-table.ts';
import { accessOf, isAccess, type StoredChange, subjectOf } from '../stored-state.ts';
import { bounds } from '../swarm.ts';
import { effectsOf } from './acknowledged.ts';
import {
  DuringCall,
  grantOf,
  hasFields,
  type Input,
  isActiveIn,
  isSet,
  type StoredKey,
  type Told,
} from './during-call.ts';
import { Histories } from './histories.ts';

/**
 * What a client is told was true at some instant of the call: why it is refused, that nothing had to be changed, and what
 * was changed into what.
 */
export function checkAnswers(run: Run): string[] {
  const histories = new Histories(run.commits);
  return run.calls.flatMap((call) => answersOf(call).flatMap((told) => wrongOf(told, call, run, histories)));
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
  const during = new DuringCall(told, call, histories);
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
