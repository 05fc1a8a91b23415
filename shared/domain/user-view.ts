import type { UserView } from '#shared/contract/management.ts';
import type { User } from '#shared/table/user.ts';

/** What an operator sees of a user. */
export function userView({ userId, status, displayName, email, version, createdAt, updatedAt }: User): UserView {
  return { userId, status, displayName, email, version, createdAt, updatedAt };
}
