import type { Login } from '../table/login-item.ts';
import { callIfFound, callPool } from './call-pool.ts';
import { companyProvider } from './company-login.ts';
import { providerAttributes } from './company-provider.ts';

/** A block ends a session within five minutes, the least that Cognito allows. */
const tokenMinutes = 5;
/** A day after the login a person logs in again: rotation does not extend it. */
const refreshHours = 24;

/** A client as Cognito describes it. */
type PoolClient = { readonly ClientId: string } & Partial<ReturnType<typeof settingsOf>>;

/**
 * Everything that a client has: what an update does not name gets Cognito's default again.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPoolClient.html
 */
function settingsOf(name: string, { redirectUris, logoutUris }: Login) {
  const provider = companyProvider();
  return {
    ClientName: name,
    CallbackURLs: redirectUris,
    LogoutURLs: logoutUris,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthScopes: ['openid', 'email', 'profile'],
    SupportedIdentityProviders: ['COGNITO', ...(provider === undefined ? [] : [provider.name])],
    // What a company's provider says has to be writable (CreateUserPoolClient); nothing else is, by whoever logs in through the API.
    WriteAttributes: Object.values(providerAttributes),
    // The pages of managed login use it; tokens come by the code flow alone.
    ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
    PreventUserExistenceErrors: 'ENABLED',
    EnableTokenRevocation: true,
    AccessTokenValidity: tokenMinutes,
    IdTokenValidity: tokenMinutes,
    RefreshTokenValidity: refreshHours,
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'hours' },
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
  };
}

/** Creates a client and returns its id. */
export async function createClient(pool: string, name: string, login: Login): Promise<string> {
  const input = {
    UserPoolId: pool,
    GenerateSecret: login.clientType === 'confidential',
    ...settingsOf(name, login),
  };
  const { UserPoolClient } = await callPool<{ UserPoolClient: PoolClient }>('CreateUserPoolClient', input);
  return UserPoolClient.ClientId;
}

/** Gives a client the addresses of a login; false if there is no such client. */
export async function updateClient(pool: string, clientId: string, name: string, login: Login): Promise<boolean> {
  const found = await describeClient(pool, clientId);
  if (found === undefined) return false;
  const settings = settingsOf(name, login);
  if (hasSettings(found, settings)) return true;
  const input = { UserPoolId: pool, ClientId: clientId, ...settings };
  return (await callIfFound('UpdateUserPoolClient', input)) !== undefined;
}

/** Whether the pool has the client of a login as it should be. */
export async function isClientOf(pool: string, clientId: string, name: string, login: Login): Promise<boolean> {
  const found = await describeClient(pool, clientId);
  return found !== undefined && hasSettings(found, settingsOf(name, login));
}

async function describeClient(pool: string, clientId: string): Promise<PoolClient | undefined> {
  const input = { UserPoolId: pool, ClientId: clientId };
  return (await callIfFound<{ UserPoolClient: PoolClient }>('DescribeUserPoolClient', input))?.UserPoolClient;
}

/** Whether a client has all that an update would set, also if somebody has changed it in the pool. */
function hasSettings(client: PoolClient, settings: ReturnType<typeof settingsOf>): boolean {
  return Object.entries(settings).every(([name, wanted]) => {
    const found = client[name as keyof typeof settings] ?? (Array.isArray(wanted) ? [] : {});
    return comparable(found) === comparable(wanted);
  });
}

/** Cognito keeps lists as sets, and members in an order of its own. */
function comparable(value: object | string | number | boolean): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = Array.isArray(value) ? value : Object.entries(value);
  return JSON.stringify(parts.map((part) => JSON.stringify(part)).sort());
}

/** Deletes a client, if it exists. */
export async function deleteClient(pool: string, clientId: string): Promise<void> {
  await callIfFound('DeleteUserPoolClient', { UserPoolId: pool, ClientId: clientId });
}

/** The id of the client of this name, which an interrupted run may have created; undefined if there is none. */
export async function findClient(pool: string, name: string): Promise<string | undefined> {
  let next: string | undefined;
  do {
    const page: { UserPoolClients?: readonly PoolClient[]; NextToken?: string } = await callPool(
      'ListUserPoolClients',
      {
        UserPoolId: pool,
        MaxResults: 60,
        ...(next !== undefined && { NextToken: next }),
      },
    );
    const found = page.UserPoolClients?.find(({ ClientName }) => ClientName === name);
    if (found !== undefined) return found.ClientId;
    next = page.NextToken;
  } while (next !== undefined);
  return undefined;
}

interface SecretDescriptor {
  readonly ClientSecretId: string;
  readonly ClientSecretCreateDate?: number;
}

/** A secret that was added. */
export interface AddedSecret {
  readonly secretId: string;
  readonly secret: string;
}

/** Which secret must stay, if there are two. */
export interface AddingSecret {
  /** The id of the one that stays. Default: the newer one. */
  readonly keep?: string | undefined;
  /** Set for a repetition: what was added since the first attempt, nobody has got, and it ends before others. */
  readonly lostSince?: Date | undefined;
}

/**
 * Adds a secret to a client and returns it, which Cognito does only once. A client has at most two: the older one is deleted first, or
 * the one that need not stay.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AddUserPoolClientSecret.html
 */
export async function addClientSecret(
  pool: string,
  clientId: string,
  { keep, lostSince }: AddingSecret,
): Promise<AddedSecret> {
  const key = { UserPoolId: pool, ClientId: clientId };
  const { ClientSecrets = [] } = await callPool<{ ClientSecrets?: readonly SecretDescriptor[] }>(
    'ListUserPoolClientSecrets',
    key,
  );
  const endable = ClientSecrets.filter(({ ClientSecretId }) => ClientSecretId !== keep);
  // Cognito's dates may be whole seconds.
  const since = lostSince === undefined ? Number.POSITIVE_INFINITY : Math.floor(lostSince.getTime() / 1000);
  const lost = endable.filter((secret) => createdAt(secret) >= since);
  const [oldest] = (lost.length > 0 ? lost : endable).toSorted((one, other) => createdAt(one) - createdAt(other));
  if (ClientSecrets.length >= maxSecrets && oldest !== undefined) {
    await callPool('DeleteUserPoolClientSecret', { ...key, ClientSecretId: oldest.ClientSecretId });
  }
  const { ClientSecretDescriptor: added } = await callPool<{
    readonly ClientSecretDescriptor: { readonly ClientSecretId: string; readonly ClientSecretValue: string };
  }>('AddUserPoolClientSecret', key);
  return { secretId: added.ClientSecretId, secret: added.ClientSecretValue };
}

const maxSecrets = 2;

function createdAt({ ClientSecretCreateDate = 0 }: SecretDescriptor): number {
  return ClientSecretCreateDate;
}
