import type { UserId } from '#shared/contract/fields.ts';
import { operator } from './start-service.ts';

let created = 0;

/** Creates a user of its own for a test, so that no test depends on another one. */
export async function newUser(userId = `user-${++created}`): Promise<string> {
  const { createUser } = await import('#shared/domain/user/users.ts');
  await createUser({ userId: userId as UserId, displayName: null, email: null }, operator);
  return userId;
}
