import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, BulkId, ConnectionId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import { runUntil } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { checkAccess } from '#shared/domain/access/check-users.ts';
import { listApplicationUsers, listUserAccess } from '#shared/domain/access/list-access.ts';
import { getAccess } from '#shared/domain/access/read-access.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { setAccess, setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { issueKey, revokeKey, rotateKey } from '#shared/domain/api-key/manage-keys.ts';
import { listKeys } from '#shared/domain/api-key/owned-keys.ts';
import {
  createApplication,
  getApplication,
  listApplications,
  updateApplication,
} from '#shared/domain/application/applications.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { publishChanges } from '#shared/domain/history/change-publisher.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import {
  listApplicationChanges,
  listApplicationChangesAfter,
  listUserChanges,
} from '#shared/domain/history/list-history.ts';
import { numberAndFollow } from '#shared/domain/history/number-and-follow.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { withinLimit } from '#shared/domain/request/request-limit.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { listMembers, revokeRoleInBulk } from '#shared/domain/role/members.ts';
import { getRole, listRoles } from '#shared/domain/role/roles.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import {
  createUser,
  getUser,
  listUsers,
  setUserStatus,
  setUserStatusInBulk,
  updateUser,
} from '#shared/domain/user/users.ts';
import { SignatureError } from '#shared/signature/error.ts';
import { requireCurrentTime } from '#shared/signature/verify.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { decideLocally } from '../../client/replica/decide-locally.ts';
import { addPage, createKnowledge } from '../../client/replica/knowledge.ts';
import { beginSnapshot, followChanges, loadSnapshot } from '../../client/replica/read-service.ts';
import { serve } from './deadlines.ts';
import { type Operator, recordedRole } from './operators.ts';
import { type OptionCode, optionCodeFiles } from './option-code.ts';
import { sourceIp } from './source-ip.ts';

/*
 * The only module that imports the code under test: each simulated process loads its own copy of it and of all its
 * imports.
 */

export { currentSignal } from '#shared/core/clock.ts';

/** What the options add, of which each process also has its own copy. */
const options: readonly OptionCode[] = await Promise.all(
  optionCodeFiles.map(async (file) => (await import(file)).code),
);

function membersOfOptions<Name extends Exclude<keyof OptionCode, 'checked'>>(
  name: Name,
): NonNullable<OptionCode[Name]> {
  return Object.assign({}, ...options.map((option) => option[name]));
}

/** The function that each operation runs. */
const runs = {
  'get-access': getAccess,
  'set-access': setAccess,
  'assign-role': assignRole,
  'revoke-role': revokeRole,
  'check-access': checkAccess,
  'get-snapshot': readSnapshot,
  'list-changes': listChanges,
  'create-user': createUser,
  'update-user': updateUser,
  'set-user-status': setUserStatus,
  'delete-user': deleteUser,
  'define-role': defineRole,
  'delete-role': deleteRole,
  'create-application': createApplication,
  'update-application': updateApplication,
  'delete-application': deleteApplication,
  'issue-key': issueKey,
  'rotate-key': rotateKey,
  'revoke-key': revokeKey,
  'set-access-in-bulk': setAccessInBulk,
  'set-user-status-in-bulk': setUserStatusInBulk,
  'revoke-role-in-bulk': revokeRoleInBulk,
  'undo-change': undoChange,
  'get-user': getUser,
  'list-users': listUsers,
  'list-user-access': listUserAccess,
  'list-user-changes': listUserChanges,
  'get-application': getApplication,
  'list-applications': (request: PageRequest) => listApplications(request, undefined),
  'list-application-users': listApplicationUsers,
  'list-application-changes': listApplicationChanges,
  'list-application-changes-after': listApplicationChangesAfter,
  'get-role': getRole,
  'list-roles': listRoles,
  'list-members': listMembers,
  'list-keys': listKeys,
} as const;

const allRuns: Readonly<Record<string, unknown>> = { ...runs, ...membersOfOptions('runs') };

/** An operation of the core, whose input is known. */
export type CoreOperationName = keyof typeof runs;

/** The name of any operation. */
export type OperationName = string;

/** The input with ids as plain text. */
export type InputOf<Name extends CoreOperationName> = Omit<Plain<Parameters<(typeof runs)[Name]>[0]>, 'heldRoles'>;
type Plain<T> = T extends string
  ? T extends UserId | AppId | RoleName | KeyId | BulkId | ConnectionId
    ? string
    : T
  : PlainMembers<T>;
type PlainMembers<T> = T extends object ? { [Member in keyof T]: Plain<T[Member]> } : T;

/** The action of the single Change that each operation makes if it changes something. */
export const actions: Readonly<Partial<Record<string, ChangeAction>>> = {
  'set-access': 'access.changed',
  'assign-role': 'role.assigned',
  'revoke-role': 'role.revoked',
  'create-user': 'user.created',
  'update-user': 'user.updated',
  'set-user-status': 'user.status.changed',
  'delete-user': 'user.deleted',
  'define-role': 'role.defined',
  'delete-role': 'role.deleted',
  'create-application': 'application.created',
  'update-application': 'application.updated',
  'delete-application': 'application.deleted',
  'issue-key': 'key.issued',
  'rotate-key': 'key.rotated',
  'revoke-key': 'key.revoked',
  ...membersOfOptions('actions'),
};

/** The single-user operation of each bulk operation. */
export const singles: Readonly<Partial<Record<string, OperationName>>> = {
  'set-access-in-bulk': 'set-access',
  'set-user-status-in-bulk': 'set-user-status',
  'revoke-role-in-bulk': 'revoke-role',
  ...membersOfOptions('singles'),
};

/** What the record of a Service API operation requires of the key. */
export const scopes: Readonly<Record<string, Scope | undefined>> = {
  'get-access': 'access:read',
  'check-access': 'access:read',
  'get-snapshot': 'access:read',
  'list-changes': 'access:read',
  'set-access': 'access:write',
  'assign-role': 'roles:write',
  'revoke-role': 'roles:write',
};

/** A request as received by a process. */
export interface Received {
  /** Of the core, or of an option. */
  readonly operation: string;
  readonly input: object;
  /** The key of an application's request; absent for an operator. */
  readonly key?: { readonly appId: string; readonly keyId: string } | undefined;
  /** Absent for an application, and while code is warmed up. */
  readonly operator?: Operator | undefined;
  readonly requestId: string;
  /** The same for all requests of one call, as its client chooses. */
  readonly callId: string;
  readonly nonce: string;
  /** The same for a signed request and its replays. */
  readonly signatureId: string;
  /** Seconds since the epoch, by the client's clock. */
  readonly created: number;
  /** How long the process has for it. */
  readonly milliseconds: number;
}

/** A response of a process; the HTTP layer would turn `failed` into a 500. */
export type Answer =
  | { readonly kind: 'done'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly code: string; readonly status: number; readonly said: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string };

/** Runs an operation as the HTTP layer does. */
export async function receive(request: Received): Promise<Answer> {
  const run = allRuns[request.operation] as (input: object, context: RequestContext) => Promise<object>;
  try {
    const { requestId, key } = request;
    if (key !== undefined) requireCurrentTime({ created: request.created, expires: undefined }, Date.now() / 1000);
    const endsAt = endOf(request);
    const { heldRoles } = request.operator ?? {};
    const input = { ...request.input, ...(request.operation.startsWith('undo-') && { heldRoles }) };
    const once = () => run(input, contextOf(request));
    const work = () => runUntil(endsAt, key === undefined ? once : () => withinLimit(key.appId as AppId, once));
    const result = await serve({ requestId, endsAt }, work);
    return { kind: 'done', body: JSON.parse(JSON.stringify(Array.isArray(result) ? { items: result } : result)) };
  } catch (error) {
    if (error instanceof ServiceError) return refusalOf(error);
    if (error instanceof SignatureError)
      return { kind: 'refused', code: error.code, status: 401, said: [error.detail] };
    return { kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Includes everything that the caller reads. */
function refusalOf({ code, status, options: { detail, field } }: ServiceError): Answer {
  return { kind: 'refused', code, status, said: field === undefined ? [detail] : [detail, field.name, field.detail] };
}

/** Returns the request's deadline for sending, as in `endpoint`; a read must end within one attempt. */
function endOf({ operation, milliseconds }: Received): number {
  const limit = scopes[operation] === 'access:read' ? attemptSeconds * 1000 : Number.POSITIVE_INFINITY;
  return Date.now() + Math.min(milliseconds - 1000, limit);
}

/** Whether answers of an operation are checked by what its input asks for. */
export function isChecked(operation: string): boolean {
  return operation in runs || options.some(({ checked = [] }) => checked.includes(operation));
}

/** Whether there is this operation: one of an option may not be there. */
export function hasOperation(operation: string): boolean {
  return operation in allRuns;
}

/** Whether an operation only reads. */
export function isRead(operation: string): boolean {
  return /^(get|list|check|evaluate)-/.test(operation);
}

/** Why a role is assigned or revoked, or a change undone: some requests say so. A status has a reason in its input. */
export function whyOf(operation: string, requestId: string) {
  const isExplained = /role$|^undo-/.test(operation) && /[02468]$/.test(requestId);
  return isExplained ? { reason: `why ${requestId}`, ticket: 'INC-1' } : {};
}

function contextOf(request: Received): RequestContext {
  const { operation, input, key, operator, requestId, nonce, signatureId, created } = request;
  const requested = { requestId, sourceIp, ...whyOf(operation, requestId) };
  const requiredScope = scopes[operation];
  const content = {
    method: 'PUT',
    path: operation,
    query: '',
    ifMatch: undefined,
    body: Buffer.from(JSON.stringify(input)),
  };
  if (key === undefined) {
    const { appId } = input as { readonly appId?: string };
    const caller = operatorCaller(operator, appId);
    if (isRead(operation)) return { ...requested, caller };
    return { ...requested, caller, attempt: { content, idempotencyKey: nonce } };
  }
  if (requiredScope === undefined) throw new Error(`${operation} is not an operation of the Service API`);
  const keyId = key.keyId as KeyId;
  const signature = { nonce, created, mac: Buffer.from(signatureId) };
  return {
    ...requested,
    caller: { kind: 'api-key', appId: key.appId as AppId, keyId },
    requiredScope,
    attempt: requiredScope === 'access:read' ? undefined : { content, signature },
  };
}

/** The caller that the history names: an operator with the role that was used. */
export function operatorCaller(operator: Operator | undefined, appId: string | undefined) {
  if (operator === undefined) throw new Error('A request without a key needs an operator');
  return { ...operator.identity, role: recordedRole(operator, appId) } as const;
}

/** What clients of the options run. */
export const clientCode = membersOfOptions('clients');

/** The parts of the SDK's replica. */
export const replica = { beginSnapshot, loadSnapshot, followChanges, addPage, createKnowledge, decideLocally } as const;

/** The readers of the table's stream; each returns the sequence number to resume from, if any. */
export const streamReaders = {
  publisher: publishChanges,
  numberer: numberAndFollow,
} as const;

const functions = membersOfOptions('functions');

/** Runs a function of an option, as Lambda does. */
export async function runFunction(name: string, event: object, requestId: string, milliseconds: number): Promise<void> {
  const timeoutAt = Date.now() + milliseconds;
  const getRemainingTimeInMillis = () => timeoutAt - Date.now();
  const context = { invokedFunctionArn: name, awsRequestId: requestId, getRemainingTimeInMillis };
  await functions[name]?.(event as never, context as never);
}

const loads = membersOfOptions('loads');
const receivers = membersOfOptions('receivers');

/** Prepares this process for an option that only some runs have. */
export async function loadOf(name: string): Promise<void> {
  await loads[name]?.();
}

/** Answers a request to an endpoint of an option. */
export async function receiveAt(name: string, request: object): Promise<object> {
  const receive = receivers[name];
  if (receive === undefined) throw new Error(`No option has the endpoint ${name}`);
  return receive(request as never);
}

/** Numbers everything that is pending, in the feeds of these items. */
export async function numberAll(items: readonly { readonly pk?: unknown }[]): Promise<void> {
  const feeds = new Set(items.flatMap(({ pk }) => /^FEED#(.+)$/.exec(String(pk))?.[1] ?? []));
  for (const feed of feeds) await numberFeed(feed as AppId);
}
