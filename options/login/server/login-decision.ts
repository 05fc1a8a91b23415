import { type AppId, isUserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import { readItems } from '#shared/table/client.ts';
import { readCurrentAccess } from '#shared/table/items/access-item.ts';
import { accountOf } from '../table/login-account-item.ts';
import { applicationOfClient, loginOf } from '../table/login-item.ts';
import { clientApplicationKey } from '../table/login-item-keys.ts';

/** A person is about to get tokens from a client of the pool. */
export interface LoginQuestion {
  readonly clientId: string;
  readonly userId: string;
  /** When the user was created for whom the account was made. */
  readonly userCreatedAt: string;
}

/** The names of the user's roles, or why there are no tokens. */
export type LoginDecision = { readonly roles: readonly string[] } | { readonly denied: string };

/** A client belongs to one application for good, so it is read once by a process. */
const applications = new Map<string, AppId>();
const maxApplications = 1000;

/**
 * Whether a person may have tokens for the application of a client: one strongly consistent read, and another one for the first
 * login of a client in a process. Throws if the table cannot be read, and then there are no tokens either.
 */
export async function decideLogin({ clientId, userId, userCreatedAt }: LoginQuestion): Promise<LoginDecision> {
  const appId = await findApplication(clientId);
  if (appId === undefined || !isUserId(userId)) return { denied: 'unknown' };
  const current = await readCurrentAccess({ userId, appId });
  const application = current.application.unwrap();
  const { user, access } = current;
  if (application === undefined || loginOf(application) === undefined) return { denied: 'application' };
  if (user === undefined || accountOf(user) === undefined) return { denied: 'account' };
  // The account of an erased user with the same id, which the provider has not deleted yet.
  if (user.createdAt !== userCreatedAt) return { denied: 'account' };
  const { effectiveStatus, roles } = decideAccess({ application, user, access }, now());
  return effectiveStatus === 'enabled' ? { roles: roles.map(({ name }) => name) } : { denied: 'access' };
}

async function findApplication(clientId: string): Promise<AppId | undefined> {
  const known = applications.get(clientId);
  if (known !== undefined) return known;
  const [item] = await readItems([clientApplicationKey(clientId)]);
  const appId = applicationOfClient(item);
  if (appId === undefined) return undefined;
  const [oldest] = applications.keys();
  if (applications.size >= maxApplications && oldest !== undefined) applications.delete(oldest);
  applications.set(clientId, appId);
  return appId;
}
