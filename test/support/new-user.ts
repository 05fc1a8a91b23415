import type { UserId } from '#shared/contract/ids.ts';
import { operator } from './start-service.ts';

let created = 0;

/** A user nobody has touched, so that no test depends on another one. */
export async function newUser(userId = `user-${++created}`): Promise<string> {
  const { createUser } = await import('#shared/domain/create-user.ts');
  await createUser({ userId: userId as UserId, displayName: null, email: null }, operator);
  return userId;
}
