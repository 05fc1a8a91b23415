import type { Access, SetAccessBody } from '#shared/contract/access.ts';
import { accessFields } from '#shared/contract/access-fields.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { optionalApplicationFields } from '#shared/contract/application-fields.ts';
import type { Caller, Change } from '#shared/contract/change.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import type { ChangedAccessItem } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import type { Member, Role } from '#shared/table/items/role-item.ts';
import type { User } from '#shared/table/items/user-item.ts';

/*
 * Complete stored items of each resource: a test sets only what it is about, and a new field needs a default only here.
 */

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const last = { lastChangeId: '01KDVDA0000000000000000000', chainHead: 'MAC' };
const noSetting = unsetFields(accessFields);
const [userId, appId] = ['ada' as UserId, 'billing' as AppId];

/** An operator with all permissions. */
export const anOperator: Extract<Caller, { kind: 'operator' }> = {
  kind: 'operator',
  via: 'iam',
  role: 'admin',
  id: 'eve',
};

/** A request of that operator. */
export const operatorContext: OperatorContext = { requestId: 'r', sourceIp: '192.0.2.7', caller: anOperator };

/** An attempt of that operator to write, without an idempotency key unless one is given. */
export function operatorAttempt(requestId: string, idempotencyKey?: string): OperatorContext {
  const content = { method: 'POST', path: '/', query: '', ifMatch: undefined, body: Buffer.from('{}') };
  return { ...operatorContext, requestId, attempt: { content, idempotencyKey } };
}

type Setting = Omit<SetAccessBody, 'status'>;

/** What is set of a status, which is cleared unless a test gives it. */
export function aSetting<Given extends Partial<Setting>>(given: Given): Setting & Given {
  return { ...noSetting, ...given };
}

/** An access as it is answered. */
export function anAccess<Given extends Partial<Access>>(given: Given): Access & Given {
  return {
    userId: 'ada',
    appId: 'billing',
    status: 'enabled',
    explicit: false,
    ...noSetting,
    userStatus: 'active',
    effectiveStatus: 'enabled',
    decidedBy: 'default',
    roles: [],
    version: 0,
    updatedAt: null,
    ...given,
  };
}

export function storedUser(given: Partial<User> = {}): User {
  const none = { ...unsetFields(userFields), statusChangeId: null };
  return { userId, status: 'active', ...none, version: 1, ...times, ...last, words: '1 ada', ...given };
}

export function storedAccess(given: Partial<ChangedAccessItem> = {}): ChangedAccessItem {
  const none = { status: null, ...noSetting, statusChangeId: null, roles: {} };
  const { createdAt, updatedAt } = times;
  return { userId, appId, ...none, version: 1, updatedAt, userCreatedAt: createdAt, ...last, ...given };
}

export function storedApplication(given: Partial<Application> = {}): Application {
  const { chainHead } = last;
  const open = { name: 'Billing', rolloutPercent: 100, ...unsetFields(optionalApplicationFields), keys: {} };
  return { appId, ...open, version: 1, ...times, chainHead, ...given };
}

export function storedKey(given: Partial<KeyState> = {}): KeyState {
  const none = { ...unsetFields(keyFields), issuedBy: null, expiresAt: null, lifetimeSeconds: null, revokedAt: null };
  return { scopes: ['access:read'], createdAt: times.createdAt, ...none, ...given };
}

export function storedRole(given: Partial<Role> = {}): Role {
  const { chainHead } = last;
  return { appId, role: 'editor' as RoleName, ...unsetFields(roleFields), version: 1, ...times, chainHead, ...given };
}

export function storedMember(given: Partial<Member> = {}): Member {
  return { userId, grantedAt: times.createdAt, expiresAt: null, ...given };
}

/** Builds a Change of an access by an operator. */
export function storedChange(given: Partial<Change> = {}): Change {
  return {
    id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    at: times.createdAt,
    action: 'access.changed',
    appId,
    userId,
    caller: anOperator,
    requestId: 'r',
    sourceIp: '192.0.2.7',
    before: null,
    after: { status: 'disabled' },
    reason: null,
    integrity: { root: 'h1', previous: null, salt: 'S', mac: 'MAC' },
    ...given,
  };
}

/** The attributes of a stored Change without those that only the table needs. */
export function withoutKeys(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ofTheTable = ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'by', 'ttl'];
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ofTheTable.includes(name)));
}
