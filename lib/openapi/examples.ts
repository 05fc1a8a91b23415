import type { Access } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';
import type { ManageRouteName } from '#shared/contract/manage-routes.ts';
import type { KeyView, UserView } from '#shared/contract/management.ts';
import type { ServiceRouteName } from '#shared/contract/routes.ts';

/** A request of an operation and the whole answer to it. */
export interface Example {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly answer: object;
}

/** What the paths of the examples name. */
export const pathExamples = {
  appId: 'billing',
  userId: 'ada',
  role: 'editor',
  keyId: 'svk_k1_billing_01KB3Z8Q6V0M5E7R9T1W3Y5A7C',
} as const;

const { appId, userId, keyId } = pathExamples;
const newKeyId = 'svk_k1_billing_01KB407XWJ2P4S6V8Y0A1C3E5G';
const createdAt = '2026-11-20T09:00:00.000Z';
const updatedAt = '2026-11-20T19:14:11.123Z';
const application = { appId, name: 'Billing', version: 1, createdAt, updatedAt: createdAt };
const role = { appId, role: 'editor', description: 'May change invoices', version: 1, createdAt, updatedAt: createdAt };
const scopes = ['access:read', 'access:write', 'roles:write'] as const;
const key: KeyView = { keyId, scopes, createdAt, expiresAt: null, revokedAt: null, lastUsedOn: null };
const user: UserView = {
  userId,
  status: 'active',
  displayName: 'Ada Lovelace',
  email: 'ada@example.org',
  version: 1,
  createdAt,
  updatedAt: createdAt,
};
const untouched: Access = {
  userId,
  appId,
  status: 'enabled',
  explicit: false,
  until: null,
  reason: null,
  userStatus: 'active',
  effectiveStatus: 'enabled',
  decidedBy: 'default',
  roles: [],
  version: 0,
  updatedAt: null,
};
const editor = { name: 'editor', expiresAt: '2027-06-30T22:00:00.000Z' };
const assigned: Access = { ...untouched, roles: [editor], version: 1, updatedAt };
const disabled: Access = {
  ...assigned,
  status: 'disabled',
  explicit: true,
  until: '2027-01-31T12:00:00.000Z',
  reason: 'left the team',
  effectiveStatus: 'disabled',
  decidedBy: 'explicit',
  version: 2,
};
const enabled: Access = {
  ...disabled,
  status: 'enabled',
  until: null,
  reason: null,
  effectiveStatus: 'enabled',
  version: 3,
};
const change: Change = {
  id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
  at: updatedAt,
  action: 'access.changed',
  appId,
  userId,
  caller: { kind: 'api-key', appId, keyId },
  requestId: 'KxYz1iQrDoEEJfA=',
  sourceIp: '192.0.2.7',
  before: { status: 'enabled', explicit: false, until: null, reason: null, version: 1 },
  after: { status: 'disabled', explicit: true, until: disabled.until, reason: 'left the team', version: 2 },
  reason: 'left the team',
};
const cursor = 'eyJwIjoiMDFLQjNaQzRON1ozUUY0VjZFNVQ4UzlSMlcifQ';
const ended: Access = {
  ...enabled,
  status: 'disabled',
  reason: 'contract ended',
  effectiveStatus: 'disabled',
  version: 4,
};

/**
 * One for each operation. In this order they are a story that begins with an empty table, and a test tells it to the
 * running service.
 */
export const examples: Readonly<Record<ManageRouteName | ServiceRouteName, Example>> = {
  'create-application': { body: { appId, name: 'Billing' }, answer: application },
  'get-application': { answer: application },
  'list-applications': { query: { limit: 25 }, answer: { items: [application], cursor: null } },
  'update-application': {
    body: { name: 'Billing and invoices' },
    answer: { ...application, name: 'Billing and invoices', version: 2, updatedAt, changed: true },
  },
  'define-role': { body: { description: 'May change invoices' }, answer: { ...role, changed: true } },
  'get-role': { answer: role },
  'list-roles': { query: { limit: 25 }, answer: { items: [role], cursor: null } },
  'create-user': { body: { displayName: 'Ada Lovelace', email: 'ada@example.org' }, answer: user },
  'get-user': { answer: user },
  'list-users': { query: { prefix: 'a', status: 'active', limit: 25 }, answer: { items: [user], cursor: null } },
  'update-user': {
    body: { displayName: 'Ada King' },
    answer: { ...user, displayName: 'Ada King', version: 2, updatedAt, changed: true },
  },
  'issue-key': {
    body: { scopes, expiresAt: null },
    answer: { ...key, secret: 'svs_shown-only-once-and-never-again-00000000000' },
  },
  'list-keys': { query: { limit: 25 }, answer: { items: [key], cursor: null } },
  'get-access': { answer: untouched },
  'assign-role': {
    body: { role: 'editor', expiresAt: '2027-06-30T22:00:00Z' },
    answer: { ...assigned, changed: true },
  },
  'set-access': {
    body: { status: 'disabled', reason: 'left the team', until: '2027-01-31T12:00:00Z' },
    answer: { ...disabled, changed: true },
  },
  'list-application-users': {
    query: { status: 'disabled', limit: 25 },
    answer: { items: [disabled], cursor: null },
  },
  'list-members': { query: { limit: 25 }, answer: { items: [{ userId, expiresAt: editor.expiresAt }], cursor: null } },
  'list-user-access': {
    query: { limit: 25 },
    answer: { items: [{ ...disabled, appName: 'Billing and invoices' }], cursor: null },
  },
  'list-application-changes': { query: { limit: 1 }, answer: { items: [change], cursor } },
  'list-user-changes': { query: { limit: 1 }, answer: { items: [change], cursor } },
  'list-changes': { query: { limit: 1 }, answer: { items: [change], cursor } },
  'set-user-access': { body: { status: 'enabled' }, answer: { ...enabled, changed: true } },
  'set-access-in-bulk': {
    body: { userIds: ['ada', 'grace'], status: 'disabled', reason: 'contract ended' },
    answer: {
      items: [
        { userId: 'ada', outcome: 'changed' },
        {
          userId: 'grace',
          outcome: 'failed',
          problem: { code: 'user_not_found', detail: 'There is no user with this id. Create the user first.' },
        },
      ],
    },
  },
  'revoke-role': { body: { role: 'editor' }, answer: { ...ended, roles: [], version: 5, changed: true } },
  'assign-user-role': {
    body: { expiresAt: null },
    answer: { ...ended, roles: [{ name: 'editor', expiresAt: null }], version: 6, changed: true },
  },
  'revoke-user-role': { answer: { ...ended, roles: [], version: 7, changed: true } },
  'set-user-status': {
    body: { status: 'inactive', reason: 'on leave' },
    answer: { ...user, status: 'inactive', displayName: 'Ada King', version: 3, updatedAt, changed: true },
  },
  'rotate-key': {
    body: { overlap: 'PT24H' },
    answer: {
      ...key,
      keyId: newKeyId,
      createdAt: updatedAt,
      secret: 'svs_another-one-shown-only-once-000000000000000',
    },
  },
  'revoke-key': {
    answer: {
      ...key,
      expiresAt: '2026-11-21T19:14:11.123Z',
      revokedAt: updatedAt,
      lastUsedOn: '2026-11-20',
      changed: true,
    },
  },
  'delete-role': { query: { force: 'true' }, answer: { changed: true, complete: true } },
  'delete-user': { answer: { changed: true, complete: true } },
  'delete-application': { query: { force: 'true' }, answer: { changed: true, complete: true } },
};
