import type { ApiKey, Clients } from './clients.ts';
import type { Scenario } from './interleavings.ts';
import { wait } from './virtual-time.ts';

const [userId, appId, role] = ['ada', 'billing', 'admin'];

let key: ApiKey | undefined;

/** Makes the creating calls one after the other, at different times. */
async function createAll(clients: Clients): Promise<void> {
  await clients.call('create-application', { appId, name: appId });
  await wait(1000);
  const scopes = ['access:read', 'access:write'] as const;
  const { outcome } = await clients.call('issue-key', { appId, scopes, expiresAt: null });
  if (outcome?.kind === 'done') key = { appId, keyId: String(outcome.body.keyId), scopes };
  await wait(1000);
  await clients.call('create-user', { userId, displayName: null, email: null });
  await wait(1000);
  // The first request that the key signs records its use.
  await clients.call('get-access', { userId, appId }, key);
  await clients.call('define-role', { appId, role, description: null });
  await wait(1000);
}

/** Also grants the role. */
async function createGrant(clients: Clients): Promise<void> {
  await createAll(clients);
  await assign(clients);
}

const block = (clients: Clients) =>
  clients.call('set-access', { userId, appId, setting: { status: 'disabled', reason: null, until: null } });
const blockTwice = (clients: Clients) =>
  clients.callTwice('set-access', { userId, appId, setting: { status: 'disabled', reason: null, until: null } }, key);
const unblock = (clients: Clients) =>
  clients.call('set-access', { userId, appId, setting: { status: 'enabled', reason: null, until: null } });
const assign = async (clients: Clients): Promise<void> => {
  await clients.call('assign-role', { userId, appId, grant: { role: role as never, expiresAt: null } });
};
const revoke = (clients: Clients) => clients.call('revoke-role', { userId, appId, role });
const deleteUser = (clients: Clients) => clients.call('delete-user', { userId });
const createUser = (clients: Clients) => clients.call('create-user', { userId, displayName: 'Ada', email: null });
const deleteRole = (clients: Clients) => clients.call('delete-role', { appId, role, force: true });
/** Defines the role when its name is free again. */
const defineRoleLater = async (clients: Clients) => {
  await wait(20_000);
  await clients.call('define-role', { appId, role, description: 'again' });
  await assign(clients);
};
const deleteApplication = (clients: Clients) => clients.call('delete-application', { appId, force: true });
const createApplication = (clients: Clients) => clients.call('create-application', { appId, name: 'again' });

/** The scenarios; `isLong` marks those whose many orders take minutes. */
export const scenarios: readonly Scenario[] = [
  { name: 'two writers', prepare: createAll, calls: [block, assign] },
  { name: 'two writers of one status', prepare: createAll, calls: [block, unblock] },
  { name: 'a write that is sent twice', prepare: createAll, calls: [blockTwice, unblock] },
  { name: 'a user erased', prepare: createGrant, calls: [block, deleteUser] },
  { name: 'a user erased and created', prepare: createGrant, calls: [block, deleteUser, createUser] },
  {
    name: 'a user erased, created and written',
    prepare: createGrant,
    calls: [block, revoke, deleteUser, createUser],
    isLong: true,
  },
  { name: 'a user erased twice', prepare: createGrant, calls: [deleteUser, deleteUser, createUser] },
  {
    name: 'a user erased twice and written',
    prepare: createGrant,
    calls: [assign, deleteUser, deleteUser, createUser],
    isLong: true,
  },
  { name: 'a role deleted', prepare: createGrant, calls: [assign, deleteRole] },
  { name: 'a role deleted and written', prepare: createGrant, calls: [assign, revoke, deleteRole] },
  { name: 'a role deleted and defined', prepare: createAll, calls: [assign, block, deleteRole, defineRoleLater] },
  { name: 'a role deleted twice', prepare: createGrant, calls: [assign, deleteRole, deleteRole], isLong: true },
  { name: 'an application deleted', prepare: createGrant, calls: [block, deleteApplication, createApplication] },
  { name: 'an application deleted at its first use', prepare: createAll, calls: [assign, block, deleteApplication] },
];
