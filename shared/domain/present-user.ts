import { ServiceError } from '#shared/core/errors.ts';
import type { User } from '#shared/table/user.ts';

/** The user, or 404 `user_not_found`. */
export function presentUser(user: User | undefined): User {
  if (user !== undefined) return user;
  throw new ServiceError('user_not_found', { detail: 'There is no user with this id. Create the user first.' });
}
