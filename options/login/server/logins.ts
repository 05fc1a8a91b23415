import type { Changed, Deletion } from '#shared/contract/answers.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { type ApplicationChange, changeApplication } from '#shared/domain/application/applications.ts';
import { recordedDifference } from '#shared/domain/request/recorded-difference.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { readItems } from '#shared/table/client.ts';
import { type Application, applicationOf, requireApplication } from '#shared/table/items/application-item.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { addClientSecret } from '../cognito/pool-clients.ts';
import type { LoginSecretView, LoginView } from '../contract/login.ts';
import { clientOfLogin, type Login, type LoginClient, loginClientOf, loginOf } from '../table/login-item.ts';
import { loginClientKey } from '../table/login-item-keys.ts';
import { issuerOf, missingLogin, requireLoginPool } from './login-config.ts';
import { recordedLogin } from './recorded-login.ts';

export interface LoginName {
  readonly appId: AppId;
}

export interface LoginSetting extends LoginName, Omit<Login, 'secretAddedAt' | 'since'> {}

/** The login of an application, also while it has none; 404 for an unknown application. */
export async function getLogin({ appId }: LoginName): Promise<LoginView> {
  const [item, client] = await readItems([applicationKey(appId), loginClientKey(appId)]);
  return loginView(requireApplication(applicationOf(item)), loginClientOf(client));
}

/** The client is undefined until the provider has one. */
function loginView(application: Application, client: LoginClient | undefined): LoginView {
  const login = loginOf(application);
  const { clientType = null, redirectUris = [], logoutUris = [] } = login ?? {};
  const known = login && clientOfLogin(login, client);
  return {
    appId: application.appId,
    enabled: login !== undefined,
    clientType,
    redirectUris,
    logoutUris,
    clientId: known?.clientId ?? null,
    issuer: issuerOf(),
    error: login === undefined ? null : (missingLogin() ?? known?.error ?? null),
  };
}

/** Gives an application a login, or another one; the provider has it some seconds later. */
export async function setLogin(
  { appId, ...given }: LoginSetting,
  context: RequestContext,
): Promise<Changed<LoginView>> {
  const client = beginReading(appId);
  let known: LoginClient | undefined;
  const view = await changeApplication({ appId }, context, {
    decide: async (application) => {
      const current = loginOf(application);
      known = current && clientOfLogin(current, await client);
      if (current !== undefined && current.clientType !== given.clientType) {
        throw invalidField('clientType', 'cannot be changed: delete the login, and set it again');
      }
      const { secretAddedAt, since } = current ?? { secretAddedAt: null, since: now().toISOString() };
      return changeTo(current, { ...given, secretAddedAt, since }, 'login.changed');
    },
    answerOf: ({ application, changed }) => ({ ...loginView(application, undefined), changed }),
  });
  const { clientId = null, error = null } = known ?? {};
  return { ...view, clientId, error: view.error ?? error };
}

/** Begins to read the client beside the application; a failure counts only if the client is needed. */
function beginReading(appId: AppId): Promise<LoginClient | undefined> {
  const reading = readItems([loginClientKey(appId)]).then(([item]) => loginClientOf(item));
  reading.catch(() => undefined);
  return reading;
}

/** Removes the login of an application: nobody can log in to it any more. */
export async function deleteLogin({ appId }: LoginName, context: RequestContext): Promise<Deletion> {
  return changeApplication({ appId }, context, {
    decide: (application) => {
      const current = loginOf(application);
      return current && changeTo(current, undefined, 'login.deleted');
    },
    answerOf: ({ changed }) => ({ changed, complete: true }),
  });
}

export interface LoginSecretName extends LoginName {
  /** The id of the secret that stays. Default: the newer one. */
  readonly keep?: string | undefined;
}

/**
 * Adds a secret to the client of a login and returns it, which nothing stores. Two are valid at a time: the older one ends, or the one
 * that is not kept. Repeated, it adds another one, in place of that of the attempt before, which nobody has got.
 */
export async function addLoginSecret(
  { appId, keep }: LoginSecretName,
  context: RequestContext,
): Promise<LoginSecretView> {
  const pool = requireLoginPool();
  const client = beginReading(appId);
  let known: LoginClient | undefined;
  let before: string | null = null;
  const { addedAt } = await changeApplication<{ readonly addedAt?: string | null | undefined }>({ appId }, context, {
    decide: async (application) => {
      const current = requireSecrets(application);
      known = clientOfLogin(current, await client);
      requireClientId(known);
      before = current.secretAddedAt;
      return changeTo(current, { ...current, secretAddedAt: now().toISOString() }, 'login.secret.added');
    },
    answerOf: ({ application }) => ({ addedAt: loginOf(application)?.secretAddedAt }),
  });
  const clientId = requireClientId(known);
  // Of a repetition, unless somebody else has added one since the first attempt.
  const lostSince = addedAt && addedAt === before ? new Date(addedAt) : undefined;
  return { clientId, ...(await addClientSecret(pool, clientId, { keep, lostSince })) };
}

function requireClientId(client: LoginClient | undefined): string {
  if (client?.clientId) return client.clientId;
  throw new ServiceError('unavailable', { detail: 'The login is being set up. Try again in a few seconds.' });
}

function requireSecrets(application: Application): Login {
  const login = loginOf(application);
  if (login?.clientType === 'confidential') return login;
  const detail =
    login === undefined
      ? 'The application has no login. Set one first.'
      : 'A public client has no secret: the login of this application uses PKCE alone.';
  throw new ServiceError('invalid_request', { detail });
}

/** The change to another login; undefined if it is the same. */
function changeTo(
  current: Login | undefined,
  next: Login | undefined,
  action: 'login.changed' | 'login.deleted' | 'login.secret.added',
): ApplicationChange | undefined {
  const recorded = recordedDifference(recordedLogin(current), recordedLogin(next));
  return recorded && { action, ...recorded, next: { login: { ...next } } };
}
