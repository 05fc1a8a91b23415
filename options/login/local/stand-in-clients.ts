import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { settingsSchema, validateSettings } from './client-settings.ts';
import { CognitoError, invalid, pageOf, readInput } from './cognito-error.ts';
import { cognitoNow, type StandInPool, type StoredClient } from './stand-in-pool.ts';
import type { PoolAction } from './stand-in-users.ts';

const maxClients = 1000;
const maxSecrets = 2;
const pool = { UserPoolId: v.string() };
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(128), v.regex(/^[\w\s+=,.@-]+$/));
const secretText = v.pipe(v.string(), v.minLength(24), v.maxLength(64), v.regex(/^[\w+]+$/));

const createSchema = v.strictObject({
  ...pool,
  ...settingsSchema.entries,
  ClientName: name,
  GenerateSecret: v.optional(v.boolean(), false),
  ClientSecret: v.optional(secretText),
});

function createClient(pool: StandInPool, input: unknown): object {
  const { GenerateSecret, ClientSecret, UserPoolId: _, ...settings } = readInput(createSchema, input);
  if (GenerateSecret && ClientSecret !== undefined) throw invalid('A secret is either generated or given.');
  if (pool.clients.size >= maxClients) throw new CognitoError('LimitExceededException', 'Too many app clients.');
  const now = cognitoNow();
  const client: StoredClient = {
    ClientId: randomText(26),
    settings: validateSettings(settings),
    secrets: [],
    CreationDate: now,
    LastModifiedDate: now,
  };
  if (GenerateSecret || ClientSecret !== undefined) addSecret(client, ClientSecret);
  pool.clients.set(client.ClientId, client);
  return { UserPoolClient: describeClient(pool, client) };
}

const oneSchema = v.strictObject({ ...pool, ClientId: v.string() });
const updateSchema = v.strictObject({
  ...oneSchema.entries,
  ...settingsSchema.entries,
  ClientName: v.optional(name),
});

/** Everything but the name goes back to its default unless the call names it. */
function updateClient(pool: StandInPool, input: unknown): object {
  const { UserPoolId: _, ClientId: __, ClientName, ...settings } = readInput(updateSchema, input);
  const client = findClient(pool, input);
  client.settings = validateSettings({ ...settings, ClientName: ClientName ?? client.settings.ClientName });
  client.LastModifiedDate = cognitoNow();
  return { UserPoolClient: describeClient(pool, client) };
}

function findClient(pool: StandInPool, input: unknown): StoredClient {
  const { ClientId } = readInput(v.object(oneSchema.entries), input);
  const client = pool.clients.get(ClientId);
  if (client !== undefined) return client;
  throw new CognitoError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`);
}

function describeClient({ id }: StandInPool, { settings, secrets, style: _, ...client }: StoredClient): object {
  return { ...settings, ...client, UserPoolId: id, ClientSecret: secrets.at(-1)?.value };
}

function deleteClient(pool: StandInPool, input: unknown): object {
  pool.clients.delete(findClient(pool, input).ClientId);
  return {};
}

const listSchema = v.strictObject({
  ...pool,
  MaxResults: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(60)), 60),
  NextToken: v.optional(v.string()),
});

function listClients(pool: StandInPool, input: unknown): object {
  const { MaxResults, NextToken } = readInput(listSchema, input);
  const { page, next } = pageOf([...pool.clients.values()], { limit: MaxResults, token: NextToken });
  const described = page.map(({ ClientId, settings: { ClientName } }) => ({ ClientId, ClientName }));
  return { UserPoolClients: described.map((client) => ({ ...client, UserPoolId: pool.id })), NextToken: next };
}

const addSecretSchema = v.strictObject({ ...oneSchema.entries, ClientSecret: v.optional(secretText) });

/** Only a confidential client, one that was created with a secret, can have another one. */
function addClientSecret(pool: StandInPool, input: unknown): object {
  const { ClientSecret } = readInput(addSecretSchema, input);
  const client = findClient(pool, input);
  if (client.secrets.length === 0) throw invalid('The client is public: it was created without a secret.');
  if (client.secrets.length >= maxSecrets) {
    throw new CognitoError('LimitExceededException', 'The client already has two secrets.');
  }
  const { value, ...secret } = addSecret(client, ClientSecret);
  // A secret that the caller has chosen is not repeated.
  return {
    ClientSecretDescriptor: {
      ...describeSecret(secret),
      ...(ClientSecret === undefined && { ClientSecretValue: value }),
    },
  };
}

/** The id is the client's with the time of creation, and is unique within it. */
function addSecret(client: StoredClient, value = randomText(51)) {
  const taken = client.secrets.map(({ createdAt }) => createdAt * 1000);
  const milliseconds = Math.max(Math.round(cognitoNow() * 1000), ...taken.map((at) => Math.round(at) + 1));
  const secret = { id: `${client.ClientId}--${milliseconds}`, value, createdAt: milliseconds / 1000 };
  client.secrets.push(secret);
  return secret;
}

function describeSecret({ id, createdAt }: Pick<StoredClient['secrets'][number], 'id' | 'createdAt'>) {
  return { ClientSecretId: id, ClientSecretCreateDate: createdAt };
}

const listSecretsSchema = v.strictObject({ ...oneSchema.entries, NextToken: v.optional(v.string()) });

function listSecrets(pool: StandInPool, input: unknown): object {
  readInput(listSecretsSchema, input);
  return { ClientSecrets: findClient(pool, input).secrets.map(describeSecret) };
}

const deleteSecretSchema = v.strictObject({ ...oneSchema.entries, ClientSecretId: v.string() });

function deleteSecret(pool: StandInPool, input: unknown): object {
  const { ClientSecretId } = readInput(deleteSecretSchema, input);
  const client = findClient(pool, input);
  const left = client.secrets.filter(({ id }) => id !== ClientSecretId);
  if (left.length === client.secrets.length) {
    throw new CognitoError('ResourceNotFoundException', 'The client has no such secret.');
  }
  if (left.length === 0) throw invalid('The last secret of a client cannot be deleted.');
  client.secrets = left;
  return {};
}

/** Cognito's ids and secrets consist of lower-case letters and digits. */
function randomText(length: number): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

const brandingSchema = v.strictObject({
  ...oneSchema.entries,
  UseCognitoProvidedValues: v.optional(v.boolean(), false),
  Settings: v.optional(v.looseObject({})),
  Assets: v.optional(
    v.array(v.looseObject({ Category: v.string(), Bytes: v.pipe(v.string(), v.maxLength(1_000_000)) })),
  ),
});

/** The pages of the local login have one style, so that only what was set last is kept. */
function createBranding(pool: StandInPool, input: unknown): object {
  const style = readStyle(readInput(brandingSchema, input));
  const client = findClient(pool, input);
  if (client.style !== undefined) {
    throw new CognitoError('ManagedLoginBrandingExistsException', 'The client has a style.');
  }
  client.style = style;
  return { ManagedLoginBranding: describeBranding(pool, client) };
}

/** Cognito's own values, or others. */
function readStyle({ UseCognitoProvidedValues, Settings, Assets = [] }: v.InferOutput<typeof brandingSchema>) {
  if (UseCognitoProvidedValues === (Settings !== undefined || Assets.length > 0)) {
    throw invalid('UseCognitoProvidedValues, or Settings and Assets.');
  }
  return { Settings, Assets };
}

/** The id of a style is that of its client. */
function describeBranding(pool: StandInPool, { ClientId, style }: StoredClient): object {
  return { ...style, UserPoolId: pool.id, ManagedLoginBrandingId: ClientId };
}

const updateBrandingSchema = v.object({ ...brandingSchema.entries, ManagedLoginBrandingId: v.string() });

function updateBranding(pool: StandInPool, input: unknown): object {
  const { ManagedLoginBrandingId, ...given } = readInput(updateBrandingSchema, { ClientId: '', ...Object(input) });
  const client = findClient(pool, { ...given, ClientId: ManagedLoginBrandingId });
  client.style = readStyle(given);
  return { ManagedLoginBranding: describeBranding(pool, client) };
}

/** The actions on app clients, their secrets and the style of their pages. */
export const clientActions: Readonly<Record<string, PoolAction>> = {
  CreateUserPoolClient: createClient,
  DescribeUserPoolClient: (pool, input) => ({ UserPoolClient: describeClient(pool, findClient(pool, input)) }),
  UpdateUserPoolClient: updateClient,
  DeleteUserPoolClient: deleteClient,
  ListUserPoolClients: listClients,
  AddUserPoolClientSecret: addClientSecret,
  ListUserPoolClientSecrets: listSecrets,
  DeleteUserPoolClientSecret: deleteSecret,
  CreateManagedLoginBranding: createBranding,
  DescribeManagedLoginBrandingByClient: (pool, input) => ({
    ManagedLoginBranding: describeBranding(pool, findClient(pool, input)),
  }),
  UpdateManagedLoginBranding: updateBranding,
};
