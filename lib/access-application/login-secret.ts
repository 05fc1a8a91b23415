import type { ApplicationKey, LoginSecret } from './key-secret.ts';
import { callManage } from './manage-caller.ts';

/** The confidential client of an application. */
export interface LoginOwner {
  readonly manageUrl: string;
  readonly appId: string;
}

/** Where people log in to the application. */
export type LoginClient = Pick<LoginSecret, 'issuer' | 'clientId'>;

/** The client of the application, which the login has before its key. */
export async function findLoginClient({ manageUrl, appId }: LoginOwner): Promise<LoginClient> {
  const { issuer, clientId } = await callManage(manageUrl, 'get-login', { path: { appId } });
  if (issuer === null || clientId === null) throw new Error('The login of the application has no client');
  return { issuer, clientId };
}

/** Whether a stored secret is one of the client; without a client, whether nothing of a client is stored. */
export function isSecretOf(client: LoginClient | undefined, stored: ApplicationKey): boolean {
  return stored.clientId === client?.clientId && stored.issuer === client?.issuer;
}

/** What is stored of the client; undefined if it is of another one. */
export function storedSecretOf(client: LoginClient, stored: ApplicationKey | undefined): LoginSecret | undefined {
  const { clientSecret, clientSecretId } = stored ?? {};
  if (stored === undefined || !isSecretOf(client, stored)) return undefined;
  return clientSecret === undefined || clientSecretId === undefined
    ? undefined
    : { ...client, clientSecret, clientSecretId };
}

/**
 * Adds a secret to the client. The one in use stays, whatever becomes of the new one: of two, the other one ends, which nothing uses any
 * more or nobody has stored.
 */
export async function addLoginSecret(
  { manageUrl, appId }: LoginOwner,
  client: LoginClient,
  inUse: LoginSecret | undefined,
): Promise<LoginSecret> {
  const input = { path: { appId }, query: inUse === undefined ? {} : { keep: inUse.clientSecretId } };
  const { secret, secretId, clientId } = await callManage(manageUrl, 'add-login-secret', input);
  if (clientId !== client.clientId) throw new Error('The login of the application was set again meanwhile');
  return { ...client, clientSecret: secret, clientSecretId: secretId };
}
