import type { UserId } from '#shared/contract/fields.ts';
import { operator } from './start-service.ts';

let created = 0;

/** Creates a separate user for a test, so that tests do not depend on each other. */
export async function newUser(userId = `user-${++created}`): Promise<string> {
  const { createUser } = await import('#shared/domain/user/users.ts');
  await createUser({ userId: userId as UserId, displayName: null, email: null }, operator);
  return userId;
}

/** Creates separate users, ten at a time: on a busy machine, more connections at once would take longer than the SDK waits. */
export async function newUsers(count: number): Promise<string[]> {
  const userIds: string[] = [];
  while (userIds.length < count) {
    const size = Math.min(10, count - userIds.length);
    userIds.push(...(await Promise.all(Array.from({ length: size }, () => newUser()))));
  }
  return userIds;
}
