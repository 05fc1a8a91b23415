import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { deleteEntry, putEntry } from '#shared/table/expression.ts';
import { absentText, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { clientTypes } from '../contract/login-values.ts';
import { clientApplicationKey, loginClientKey } from './login-item-keys.ts';

const loginSchema = v.object({
  clientType: v.picklist(clientTypes),
  redirectUris: v.pipe(v.array(v.string()), v.readonly()),
  logoutUris: v.pipe(v.array(v.string()), v.readonly()),
  /** When a secret was last added; `null` if none was. */
  secretAddedAt: nullableText,
  /** When the application got this login, after none: what was made before is of another one. Absent: of the first. */
  since: absentText,
});

/** What is set of an application's login, in the item of the application, whose chain records its changes. */
export type Login = Readonly<v.InferOutput<typeof loginSchema>>;

/** The login of an application; undefined if it has none. */
export function loginOf({ login }: Pick<Application, 'login'>): Login | undefined {
  return login === undefined || Object.keys(login).length === 0 ? undefined : parseItem(loginSchema, login);
}

const clientSchema = v.object({
  appId: storedId<AppId>(),
  /** `null` until the provider has created it. */
  clientId: v.nullable(v.string()),
  /** The time of the application's version for which it was made: a login that was deleted later is not its login. */
  madeAt: v.string(),
  /** The id of the style that its pages have; absent if it is the provider's own. */
  style: absentText,
  /** Why the provider did not take the last change, in its own words; `null` if it did. */
  error: nullableText,
});

/** The client by which the provider knows an application. */
export type LoginClient = Readonly<v.InferOutput<typeof clientSchema>>;

/** The client of a login; undefined while the pool still has that of a login which was deleted before. */
export function clientOfLogin(login: Login, client: LoginClient | undefined): LoginClient | undefined {
  return client === undefined || client.madeAt < (login.since ?? '') ? undefined : client;
}

export function loginClientOf(item: Item | undefined): LoginClient | undefined {
  return item === undefined ? undefined : parseItem(clientSchema, item);
}

/** The entries that record the client of an application, and the application of the client. */
export function putClientEntries(client: LoginClient): TransactEntry[] {
  const { appId, clientId } = client;
  const named = clientId === null ? [] : [putEntry({ ...clientApplicationKey(clientId), appId, clientId })];
  return [putEntry({ ...loginClientKey(appId), ...client }), ...named];
}

/** The entries that forget the client of an application. */
export function deleteClientEntries({ appId, clientId }: Pick<LoginClient, 'appId' | 'clientId'>): TransactEntry[] {
  return [deleteEntry(loginClientKey(appId)), ...deleteClientNameEntries(clientId)];
}

/** The entries after which no application has a client. */
export function deleteClientNameEntries(clientId: string | null): TransactEntry[] {
  return clientId === null ? [] : [deleteEntry(clientApplicationKey(clientId))];
}

const applicationSchema = v.object({ appId: storedId<AppId>() });

/** The application of a client; undefined if no application has it. */
export function applicationOfClient(item: Item | undefined): AppId | undefined {
  return item === undefined ? undefined : parseItem(applicationSchema, item).appId;
}
