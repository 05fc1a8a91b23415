import type { UserId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { createUserEntry, type User } from '#shared/table/user.ts';
import { createWithRecord } from './create-with-record.ts';
import type { RequestContext } from './request-context.ts';

export interface NewUser {
  readonly userId: UserId;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** Creates an active user; 409 if the id is taken. */
export async function createUser(wanted: NewUser, context: RequestContext): Promise<User> {
  const at = now().toISOString();
  const user: User = { ...wanted, status: 'active', version: 1, createdAt: at, updatedAt: at };
  await createWithRecord(createUserEntry(user), context, {
    action: 'user.created',
    at,
    userId: user.userId,
    before: null,
    after: { status: user.status, displayName: user.displayName, email: user.email, version: 1 },
    reason: null,
  });
  return user;
}
