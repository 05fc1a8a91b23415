import { expect } from '@jest/globals';
import type { ManageOperationName } from '#shared/contract/operations.ts';
import { grantRole, newApplication } from './new-application.ts';
import { newUser } from './new-user.ts';

type Item = Record<string, unknown>;

/** A writing operation on prepared data, and the one change that it records. */
export interface ChangeRow {
  readonly route: ManageOperationName;
  readonly does: string;
  readonly write: () => Promise<readonly [path: string, body?: object]>;
  /** Receives the response, for values that the service generates. */
  readonly change: (answer: Item) => Item;
  /** The response to repeating the request; undefined if it is not repeated. */
  readonly again: 'unchanged' | 409 | undefined;
}

const user = async () => `/users/${await newUser()}`;
const access = async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  return { appId, userId };
};
const untouched = { status: 'enabled', explicit: false, until: null, reason: null };
/** Why, as in the body of a request and in its change. */
const why = { reason: 'project ended', ticket: 'INC-1234' };
const notGranted = { granted: false, expiresAt: null };

/** The operations that write users, their accesses and grants. */
export const userChangeRows: readonly ChangeRow[] = [
  {
    route: 'set-access-in-bulk',
    does: 'sets for one',
    write: async () => {
      const { appId, userId } = await access();
      return [`/applications/${appId}/access`, { userIds: [userId], status: 'disabled', reason: 'unpaid' }];
    },
    change: ({ items }) => ({
      action: 'access.changed',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      before: { ...untouched, version: 0 },
      after: { status: 'disabled', explicit: true, until: null, reason: 'unpaid', version: 1 },
      reason: 'unpaid',
    }),
    again: 'unchanged',
  },
  {
    route: 'assign-role-in-bulk',
    does: 'assigns to one',
    write: async () => {
      const { appId, userId } = await access();
      return [`/applications/${appId}/roles/editor/users`, { userIds: [userId], ...why }];
    },
    change: ({ items }) => ({
      action: 'role.assigned',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      role: 'editor',
      before: { ...notGranted, version: 0 },
      after: { granted: true, expiresAt: null, version: 1 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'revoke-role-in-bulk',
    does: 'revokes from one',
    write: async () => {
      const { appId, userId } = await access();
      await grantRole(userId, appId, 'editor');
      return [`/applications/${appId}/roles/editor/users/remove`, { userIds: [userId], ...why }];
    },
    change: ({ items }) => ({
      action: 'role.revoked',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      role: 'editor',
      before: { granted: true, expiresAt: null, version: 1 },
      after: { ...notGranted, version: 2 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-status-in-bulk',
    does: 'deactivates one',
    write: async () => ['/user-status', { userIds: [await newUser()], status: 'inactive', ...why }],
    change: ({ items }) => ({
      action: 'user.status.changed',
      userId: (items as [Item])[0].userId,
      before: { status: 'active', version: 1 },
      after: { status: 'inactive', version: 2 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'import-users',
    does: 'blocks one',
    write: async () => {
      const { appId, userId } = await access();
      return ['/user-imports', { users: [{ userId, accesses: [{ appId, status: 'disabled' }] }], reason: 'unpaid' }];
    },
    change: ({ items }) => ({
      action: 'access.changed',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      before: { ...untouched, version: 0 },
      after: { status: 'disabled', explicit: true, until: null, reason: 'unpaid', version: 1 },
      reason: 'unpaid',
    }),
    again: 'unchanged',
  },
  {
    route: 'create-user',
    does: 'creates',
    write: async () => ['/users/created', { displayName: 'Ada', email: 'ada@example.com' }],
    change: () => ({
      action: 'user.created',
      userId: 'created',
      before: null,
      after: { status: 'active', displayName: 'Ada', email: 'ada@example.com', version: 1 },
    }),
    again: 409,
  },
  {
    route: 'update-user',
    does: 'changes',
    write: async () => [await user(), { email: 'ada@example.com' }],
    change: ({ userId }) => ({
      action: 'user.updated',
      userId,
      before: { displayName: null, email: null, version: 1 },
      after: { displayName: null, email: 'ada@example.com', version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'delete-user',
    does: 'erases',
    write: async () => [`/users/${await newUser('soon-gone')}`],
    change: () => ({
      action: 'user.deleted',
      userId: 'soon-gone',
      before: { status: 'active', version: 1 },
      after: null,
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-status',
    does: 'sets',
    write: async () => [`${await user()}/status`, { status: 'inactive', ...why }],
    change: ({ userId }) => ({
      action: 'user.status.changed',
      userId,
      before: { status: 'active', version: 1 },
      after: { status: 'inactive', version: 2 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-access',
    does: 'sets',
    write: async () => {
      const { appId, userId } = await access();
      return [`/users/${userId}/access/${appId}`, { status: 'enabled', ...why }];
    },
    change: ({ appId, userId }) => ({
      action: 'access.changed',
      appId,
      userId,
      before: { ...untouched, version: 0 },
      after: { ...untouched, explicit: true, reason: why.reason, version: 1 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'assign-user-role',
    does: 'assigns',
    write: async () => {
      const { appId, userId } = await access();
      return [`/users/${userId}/roles/${appId}/editor`, why];
    },
    change: ({ appId, userId }) => ({
      action: 'role.assigned',
      appId,
      userId,
      role: 'editor',
      before: { ...notGranted, version: 0 },
      after: { granted: true, expiresAt: null, version: 1 },
      ...why,
    }),
    again: 'unchanged',
  },
  {
    route: 'revoke-user-role',
    does: 'revokes',
    write: async () => {
      const { appId, userId } = await access();
      await grantRole(userId, appId, 'editor');
      return [`/users/${userId}/roles/${appId}/editor`, why];
    },
    change: ({ appId, userId }) => ({
      action: 'role.revoked',
      appId,
      userId,
      role: 'editor',
      before: { granted: true, expiresAt: null, version: 1 },
      after: { ...notGranted, version: 2 },
      ...why,
    }),
    again: 'unchanged',
  },
];
