import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { CognitoError, invalid, pageOf, readInput } from './cognito-error.ts';
import { cognitoNow, type PoolUser, type StandInPool } from './stand-in-pool.ts';

/** An action of Cognito's API on a pool. */
export type PoolAction = (pool: StandInPool, input: unknown) => object;

const attributesSchema = v.array(v.object({ Name: v.string(), Value: v.optional(v.string(), '') }));
const userName = v.pipe(v.string(), v.minLength(1), v.maxLength(128));
const pool = { UserPoolId: v.string() };
const ignored = v.optional(v.unknown());

const createSchema = v.strictObject({
  ...pool,
  Username: v.pipe(userName, v.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u)),
  UserAttributes: v.optional(attributesSchema, []),
  ForceAliasCreation: v.optional(v.boolean(), false),
  MessageAction: v.optional(v.picklist(['RESEND', 'SUPPRESS'])),
  DesiredDeliveryMediums: v.optional(v.array(v.picklist(['SMS', 'EMAIL'])), ['SMS']),
  TemporaryPassword: ignored,
  ValidationData: ignored,
  ClientMetadata: ignored,
});

function createUser(pool: StandInPool, input: unknown): object {
  const { Username, UserAttributes, MessageAction, ...asked } = readInput(createSchema, input);
  const known = pool.users.get(Username);
  if (MessageAction === 'RESEND') return { User: describeUser(invitedUser(known)) };
  // "Username cannot be of email format" where the address is an alias, because both find a user at the login.
  if (Username.includes('@')) {
    throw invalid('Username cannot be of email format, since user pool is configured for email alias.');
  }
  if (known !== undefined) throw new CognitoError('UsernameExistsException', 'User account already exists');
  const attributes = applyAttributes({}, UserAttributes);
  if (MessageAction !== 'SUPPRESS') requireMedium(asked.DesiredDeliveryMediums, attributes);
  const now = cognitoNow();
  const user: PoolUser = {
    Username,
    sub: randomUUID(),
    attributes,
    Enabled: true,
    UserStatus: 'FORCE_CHANGE_PASSWORD',
    UserCreateDate: now,
    UserLastModifiedDate: now,
  };
  claimAlias(pool, user, asked.ForceAliasCreation);
  pool.users.set(Username, user);
  return { User: describeUser(user) };
}

/** An invitation is sent again only to somebody who has not followed it yet. */
function invitedUser(user: PoolUser | undefined): PoolUser {
  if (user === undefined) throw noSuchUser();
  if (user.UserStatus === 'FORCE_CHANGE_PASSWORD') return user;
  throw new CognitoError('UnsupportedUserStateException', 'Resend not possible. User status is not valid.');
}

function requireMedium(mediums: readonly ('SMS' | 'EMAIL')[], attributes: PoolUser['attributes']): void {
  const address = { SMS: attributes.phone_number, EMAIL: attributes.email };
  if (mediums.every((medium) => address[medium] === undefined)) {
    throw invalid('User has no attribute matching desired delivery mediums');
  }
}

/** A verified e-mail address is an alias, which one user has; a forced one is taken from the other. */
function claimAlias(pool: StandInPool, { Username, attributes }: PoolUser, isForced = false): void {
  const { email, email_verified } = attributes;
  if (email === undefined || email_verified !== 'true') return;
  const holder = pool.findByEmail(email);
  if (holder === undefined || holder.Username === Username) return;
  if (!isForced) throw new CognitoError('AliasExistsException', 'An account with the email already exists.');
  holder.attributes.email_verified = 'false';
}

/** An empty value removes the attribute, and a new address is not verified unless the call says so. */
function applyAttributes(
  before: PoolUser['attributes'],
  given: v.InferOutput<typeof attributesSchema>,
): PoolUser['attributes'] {
  const changed = Object.fromEntries(given.map(({ Name, Value }) => [Name, Value]));
  if ('sub' in changed) throw invalid('Cannot modify the non-mutable attribute sub');
  const unverified = 'email' in changed && changed.email !== before.email ? { email_verified: 'false' } : {};
  const all = Object.entries({ ...before, ...unverified, ...changed });
  return Object.fromEntries(all.filter(([, value]) => value !== ''));
}

const oneSchema = v.strictObject({ ...pool, Username: userName });

/** A user by name, verified e-mail address or `sub`, as the Admin actions accept them. */
function findUser(pool: StandInPool, input: unknown): PoolUser {
  const { Username } = readInput(v.object(oneSchema.entries), input);
  const user = pool.users.get(Username) ?? pool.findByEmail(Username) ?? pool.findBySub(Username);
  if (user === undefined) throw noSuchUser();
  return user;
}

function noSuchUser(): CognitoError {
  return new CognitoError('UserNotFoundException', 'User does not exist.');
}

const updateSchema = v.strictObject({
  ...oneSchema.entries,
  UserAttributes: attributesSchema,
  ClientMetadata: ignored,
});

function updateAttributes(pool: StandInPool, input: unknown): object {
  const { UserAttributes } = readInput(updateSchema, input);
  const user = findUser(pool, input);
  const attributes = applyAttributes(user.attributes, UserAttributes);
  claimAlias(pool, { ...user, attributes });
  Object.assign(user, { attributes, UserLastModifiedDate: cognitoNow() });
  return {};
}

function setEnabled(Enabled: boolean): PoolAction {
  return (pool, input) => {
    Object.assign(findUser(pool, input), { Enabled, UserLastModifiedDate: cognitoNow() });
    return {};
  };
}

function signOut(pool: StandInPool, input: unknown): object {
  pool.signOut(findUser(pool, input).sub);
  return {};
}

function deleteUser(pool: StandInPool, input: unknown): object {
  const { Username, sub } = findUser(pool, input);
  pool.users.delete(Username);
  pool.signOut(sub);
  return {};
}

const listSchema = v.strictObject({
  ...pool,
  Limit: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(60)), 60),
  PaginationToken: v.optional(v.string()),
  Filter: v.optional(v.string(), ''),
  AttributesToGet: v.optional(v.array(v.string())),
});

function listUsers(pool: StandInPool, input: unknown): object {
  const { Limit, PaginationToken, Filter, AttributesToGet } = readInput(listSchema, input);
  const matches = readFilter(Filter);
  const found = [...pool.users.values()].filter(matches);
  const { page, next } = pageOf(found, { limit: Limit, token: PaginationToken });
  const isAsked = ({ Name }: { Name: string }) => AttributesToGet?.includes(Name) ?? true;
  const Users = page.map(describeUser).map((user) => ({ ...user, Attributes: user.Attributes.filter(isAsked) }));
  return { Users, PaginationToken: next };
}

const searchable = /^(username|email|name|given_name|family_name|preferred_username|cognito:user_status|status|sub)$/;

/** `name = "value"` or `name ^= "prefix"`, of one of the attributes that Cognito searches. */
function readFilter(filter: string): (user: PoolUser) => boolean {
  if (filter === '') return () => true;
  const [, name = '', operator, written = ''] =
    /^\s*"?([\w:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(filter) ?? [];
  if (!searchable.test(name)) throw invalid('Error while parsing filter value.');
  const wanted = written.replaceAll(/\\(.)/g, '$1');
  return (user) => {
    const value = searchedValue(user, name);
    return operator === '=' ? value === wanted : value.startsWith(wanted);
  };
}

function searchedValue({ Username, sub, Enabled, UserStatus, attributes }: PoolUser, name: string): string {
  const own = { username: Username, sub, status: Enabled ? 'Enabled' : 'Disabled', 'cognito:user_status': UserStatus };
  return { ...attributes, ...own }[name] ?? '';
}

function describeUser({ sub, attributes, ...user }: PoolUser) {
  return { ...user, Attributes: Object.entries({ sub, ...attributes }).map(([Name, Value]) => ({ Name, Value })) };
}

function getUser(pool: StandInPool, input: unknown): object {
  const { Attributes: UserAttributes, ...user } = describeUser(findUser(pool, input));
  return { ...user, UserAttributes };
}

const userRef = v.object({
  ProviderName: v.string(),
  ProviderAttributeName: v.optional(v.string()),
  ProviderAttributeValue: v.string(),
});
const linkSchema = v.strictObject({ ...pool, DestinationUser: userRef, SourceUser: userRef });

/** An identity belongs to one user at most. */
function linkProvider(pool: StandInPool, input: unknown): object {
  const { DestinationUser, SourceUser } = readInput(linkSchema, input);
  const user = pool.users.get(DestinationUser.ProviderAttributeValue);
  if (user === undefined || DestinationUser.ProviderName !== 'Cognito') throw noSuchUser();
  const { ProviderName: providerName, ProviderAttributeValue: userId } = SourceUser;
  const isTaken = [...pool.users.values()].some(({ attributes }) =>
    readIdentities(attributes).some((one) => one.providerName === providerName && one.userId === userId),
  );
  if (isTaken) throw invalid('Merging is not currently supported, provide a SourceUser that has not been linked.');
  user.attributes.identities = JSON.stringify([...readIdentities(user.attributes), { providerName, userId }]);
  return {};
}

function readIdentities({ identities = '[]' }: PoolUser['attributes']): { providerName: string; userId: string }[] {
  return JSON.parse(identities);
}

/** The actions on users, as far as a mirror of our users needs them. */
export const userActions: Readonly<Record<string, PoolAction>> = {
  AdminCreateUser: createUser,
  AdminGetUser: getUser,
  AdminUpdateUserAttributes: updateAttributes,
  AdminDisableUser: setEnabled(false),
  AdminEnableUser: setEnabled(true),
  AdminUserGlobalSignOut: signOut,
  AdminDeleteUser: deleteUser,
  AdminLinkProviderForUser: linkProvider,
  ListUsers: listUsers,
};
