import type { User } from '#shared/table/items/user-item.ts';
import { callIfFound, callPool, PoolError } from './call-pool.ts';
import { hasCompanyLogin } from './company-login.ts';

/** What the pool has of a person. */
export interface PoolAccount {
  readonly enabled: boolean;
  /** `invitedStatus` until the person has chosen a password. */
  readonly status: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly mfa: readonly string[];
}

/** The user of an account, as far as the pool has it. */
export type AccountUser = Pick<User, 'userId' | 'createdAt' | 'email' | 'displayName'>;

interface PoolUser {
  readonly Enabled?: boolean;
  readonly UserStatus?: string;
  readonly UserAttributes?: readonly Attribute[];
  readonly UserMFASettingList?: readonly string[];
}

interface Attribute {
  readonly Name: string;
  readonly Value?: string;
}

/** The status of an account whose owner has not followed the invitation. */
export const invitedStatus = 'FORCE_CHANGE_PASSWORD';

/**
 * The id of the user, which no client of the pool can change: the names of a pool ignore case, so that the name alone could be that
 * of another user.
 */
export const userIdAttribute = 'custom:user_id';
/** When the user was created, which no client can change either: a user who was erased may have had the same id. */
export const userCreatedAttribute = 'custom:user_created_at';

/** The account of a person; undefined if there is none. Throws if the name is taken by another user. */
export async function readAccount(pool: string, userId: string): Promise<PoolAccount | undefined> {
  const found = await findAccount(keyOf(pool, userId));
  if (found !== undefined && userIdOf(found) !== userId) {
    throw new PoolError('UsernameExistsException', 'Another user has an account of this name, in other letters.');
  }
  return found;
}

/** The account whose verified address this is; undefined if there is none. */
export async function readAccountOfAddress(pool: string, email: string): Promise<PoolAccount | undefined> {
  return findAccount({ UserPoolId: pool, Username: email });
}

async function findAccount(key: ReturnType<typeof keyOf>): Promise<PoolAccount | undefined> {
  const found = await callIfFound<PoolUser>('AdminGetUser', key);
  if (found === undefined) return undefined;
  const { Enabled = true, UserStatus = '', UserAttributes = [], UserMFASettingList: mfa = [] } = found;
  const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value = '' }) => [Name, Value]));
  return { enabled: Enabled, status: UserStatus, attributes, mfa };
}

/** The id of the user of an account; empty if the service has not created it. */
export function userIdOf({ attributes }: PoolAccount): string {
  return attributes[userIdAttribute] ?? '';
}

/** Whether an account is of this user, not of an erased one with the same id. */
export function isAccountOf({ attributes }: PoolAccount, { createdAt }: AccountUser): boolean {
  return attributes[userCreatedAttribute] === createdAt;
}

/** Creates an account and sends the invitation with a temporary password, unless the person logs in elsewhere. */
export async function createAccount(pool: string, user: AccountUser): Promise<void> {
  const { userId, createdAt } = user;
  const fixed = [
    { Name: userIdAttribute, Value: userId },
    { Name: userCreatedAttribute, Value: createdAt },
  ];
  const UserAttributes = [...attributesOf(user), ...fixed];
  const sent = hasCompanyLogin(user.email) ? { MessageAction: 'SUPPRESS' } : { DesiredDeliveryMediums: ['EMAIL'] };
  await callPool('AdminCreateUser', { ...keyOf(pool, userId), UserAttributes, ...sent });
}

/** Sends the invitation again, with another temporary password; the one before ends. */
export async function sendInvitation(pool: string, userId: string): Promise<void> {
  const resent = { MessageAction: 'RESEND', DesiredDeliveryMediums: ['EMAIL'] };
  await callPool('AdminCreateUser', { ...keyOf(pool, userId), ...resent });
}

/** Whether an account has the attributes of its user. */
export function hasAttributesOf({ attributes }: PoolAccount, user: AccountUser): boolean {
  return attributesOf(user).every(({ Name, Value }) => attributes[Name] === Value);
}

/** Sets the attributes of the user. An address is of the service, so it is verified. */
export async function updateAccount(pool: string, user: AccountUser): Promise<void> {
  await callPool('AdminUpdateUserAttributes', { ...keyOf(pool, user.userId), UserAttributes: attributesOf(user) });
}

/** Lets another account have the address; by it nobody logs in to this one any more. */
export async function releaseAddress(pool: string, userId: string): Promise<void> {
  await callPool('AdminUpdateUserAttributes', { ...keyOf(pool, userId), UserAttributes: [unverified] });
}

/** Lets a person log in again, or not at all. */
export async function enableAccount(pool: string, userId: string, enabled: boolean): Promise<void> {
  await callPool(enabled ? 'AdminEnableUser' : 'AdminDisableUser', keyOf(pool, userId));
}

/**
 * Ends the refresh tokens of a person. Tokens that were issued stay valid for minutes, and the cookie of the login page for up to an
 * hour, so what holds is the decision before each token.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminUserGlobalSignOut.html
 */
export async function signOutAccount(pool: string, userId: string): Promise<void> {
  await callPool('AdminUserGlobalSignOut', keyOf(pool, userId));
}

/** Deletes an account that was read. */
export async function deleteAccount(pool: string, userId: string): Promise<void> {
  await callIfFound('AdminDeleteUser', keyOf(pool, userId));
}

/**
 * The name of the account of a user, which nobody can change. Cognito refuses a name in the form of an e-mail address; no id contains
 * the character that stands for it.
 */
export function accountNameOf(userId: string): string {
  return userId.replaceAll('@', '#');
}

function keyOf(pool: string, userId: string) {
  return { UserPoolId: pool, Username: accountNameOf(userId) };
}

const unverified = { Name: 'email_verified', Value: 'false' };

function attributesOf({ userId, email, displayName }: AccountUser) {
  const name = { Name: 'name', Value: displayName ?? userId };
  if (email === null) return [unverified, name];
  return [{ Name: 'email', Value: email }, { Name: 'email_verified', Value: 'true' }, name];
}
