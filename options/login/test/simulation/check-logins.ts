import type { Run } from '#test/simulation/run-seed.ts';
import type { PoolUser } from '../../local/stand-in-pool.ts';
import { Logins } from './login-world.ts';
import { accountIn, clientIn, isLoginTask, loginIn } from './stored-logins.ts';

/** What one run did with logins; nothing in most runs. */
export function loginsOf({ actors }: Run): readonly Logins[] {
  return actors.filter((actor) => actor instanceof Logins);
}

/** In the end an account is enabled exactly if its user is active and has one, with the user's name and address, and no other is there. */
export function checkAccounts(run: Run): string[] {
  return loginsOf(run).flatMap(({ simulated: { pool } }) => {
    const wanted = run.items.flatMap((item) => accountIn(item) ?? []);
    const found = [...pool.users.values()].map(describe);
    const unknown = found.filter(({ userId }) => !wanted.some((account) => account.userId === userId));
    return [
      ...unknown.map(({ userId }) => `${userId} has an account in the pool, but none in the table`),
      ...wanted.flatMap((account) => differing(account, found)),
      ...run.items
        .filter(isLoginTask)
        .flatMap(({ sk, leaseToken }) => (isWaiting(found, wanted) && !leaseToken ? [] : [`${sk} was never told`])),
    ];
  });
}

type Wanted = NonNullable<ReturnType<typeof accountIn>>;
type Found = ReturnType<typeof describe>;

function describe({ attributes, Enabled }: PoolUser) {
  const { name, email, email_verified } = attributes;
  const ids = { userId: attributes['custom:user_id'], createdAt: attributes['custom:user_created_at'] };
  return { ...ids, name, email: email_verified === 'true' ? email : null, isEnabled: Enabled };
}

/** Whether two users have one address, of whom only one can have it. */
function isWaiting(found: readonly Found[], wanted: readonly Wanted[]): boolean {
  return wanted.some((account) => holderOf(account, found) !== undefined);
}

/** Another account with the address of a user. */
function holderOf({ userId, email }: Wanted, found: readonly Found[]): Found | undefined {
  return email === null ? undefined : found.find((other) => other.userId !== userId && other.email === email);
}

function differing(wanted: Wanted, all: readonly Found[]): string[] {
  const { userId, createdAt, isActive, email, name } = wanted;
  const found = all.find((account) => account.userId === userId);
  const isTaken = holderOf(wanted, all) !== undefined;
  if (found === undefined)
    return !isActive || email === null || isTaken ? [] : [`${userId} has no account in the pool`];
  const says = [
    found.isEnabled === isActive ? '' : `is ${found.isEnabled ? 'enabled' : 'disabled'}`,
    found.createdAt === createdAt ? '' : 'is of an erased user',
    isTaken || (found.email === email && found.name === name) ? '' : `has ${found.name} ${found.email}`,
  ];
  return says.filter((text) => text !== '').map((text) => `the account of ${userId} ${text}`);
}

/** In the end each login has one client with its addresses, which the table knows, and there is no other client. */
export function checkClients(run: Run): string[] {
  return loginsOf(run).flatMap(({ simulated: { pool } }) => {
    const wanted = run.items.flatMap((item) => loginIn(item) ?? []);
    const known = run.items.flatMap((item) => clientIn(item) ?? []);
    const found = [...pool.clients.values()];
    const clientOf = (appId: string) => known.find((client) => client.appId === appId)?.clientId;
    const isWanted = (clientId: string) => wanted.some(({ appId }) => clientOf(appId) === clientId);
    const foreign = found.filter(({ ClientId }) => !isWanted(ClientId));
    return [
      ...foreign.map(({ settings }) => `a client of ${settings.ClientName} has no login`),
      ...wanted.flatMap(({ appId, redirectUris }) => {
        const client = found.find(({ ClientId }) => ClientId === clientOf(appId));
        return String(client?.settings.CallbackURLs) === String(redirectUris) ? [] : [`${appId} has not its client`];
      }),
    ];
  });
}
