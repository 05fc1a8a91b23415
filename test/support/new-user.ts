import type { UserId } from '#shared/contract/fields.ts';
import { fewAtOnce } from './few-at-once.ts';
import { operator } from './start-service.ts';

let created = 0;

/** Creates a separate user for a test, so that tests do not depend on each other. */
export async function newUser(userId = `user-${++created}`): Promise<string> {
  const { createUser } = await import('#shared/domain/user/users.ts');
  await fewAtOnce(() => createUser({ userId: userId as UserId, displayName: null, email: null }, operator));
  return userId;
}

/** Creates separate users. */
export async function newUsers(count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => newUser()));
}
