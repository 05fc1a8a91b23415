import { jest } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { createUser, setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { operator } from '#test/support/start-service.ts';
import { deleteAccount, getAccount, inviteUser, signOutUser } from '../../server/accounts.ts';
import { follow, type PoolWorld, passing } from './pool-world.ts';

const named = (id: string) => ({ userId: id as UserId });

export const create = (id: string, email: string | null = `${id}@example.com`) =>
  createUser({ ...named(id), displayName: `Name of ${id}`, email }, operator);
export const invite = (id: string) => inviteUser(named(id), operator);
export const signOut = (id: string) => signOutUser(named(id), operator);
export const deleteAccountOf = (id: string) => deleteAccount(named(id), operator);
export const setStatus = (id: string, status: 'active' | 'inactive') =>
  setUserStatus({ ...named(id), status, reason: 'r' }, operator);
export const setEmail = (id: string, email: string | null) => updateUser({ ...named(id), email }, operator);
export const accountOf = (id: string) => passing(getAccount(named(id)));

/** The calls of Cognito that an act leads to, once. */
export async function callsOf(world: PoolWorld, act: () => Promise<unknown>): Promise<readonly string[]> {
  await act();
  world.calls.length = 0;
  world.signedOut.length = 0;
  await follow(world);
  return [...world.calls];
}

/** Somebody who has followed the invitation, a second ago. */
export async function begin(world: PoolWorld, id = 'ada', email = `${id}@example.com`): Promise<void> {
  await create(id, email);
  await invite(id);
  await follow(world);
  const account = world.pool.users.get(id);
  if (account !== undefined) account.UserStatus = 'CONFIRMED';
  jest.advanceTimersByTime(1000);
}
