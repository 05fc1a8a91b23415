import type { UserId } from '#shared/contract/ids.ts';
import type { UserView } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { createUserEntry, type User } from '#shared/table/user.ts';
import { createWithRecord } from './create-with-record.ts';
import type { RequestContext } from './request-context.ts';
import { userView } from './user-view.ts';

export interface NewUser {
  readonly userId: UserId;
  readonly displayName: string | null;
  readonly email: string | null;
}

/** Creates an active user; 409 if the id is taken. */
export async function createUser({ userId, displayName, email }: NewUser, context: RequestContext): Promise<UserView> {
  const at = now().toISOString();
  const user: User = { userId, displayName, email, status: 'active', version: 1, createdAt: at, updatedAt: at };
  await createWithRecord(createUserEntry(user), context, {
    action: 'user.created',
    at,
    userId,
    before: null,
    after: { status: user.status, displayName, email, version: 1 },
    reason: null,
  });
  return userView(user);
}
