import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type ManagementClient, ManagementError } from '#client/management.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import { type ExampleApplication, type ExampleUser, exampleApplications, exampleUsers } from './example-company.ts';
import { type AccessKey, localAccess } from './local-credentials.ts';
import { createLocalManagement } from './local-management.ts';

export interface SeedOptions {
  readonly baseUrl: string;
  readonly manageUrl: string;
  /** Where the function URL answers before it is ready. Default: `manageUrl`. */
  readonly setupUrl?: string | undefined;
  readonly accessKey: AccessKey;
  readonly issuer: string;
  readonly audience: string;
  /** The file for the credentials, readable only by its owner. */
  readonly file: string;
}

/** Everything a program needs to call both APIs; the Management API accepts either kind of credentials. */
export interface SeededExample extends AccessKey {
  /** The Service API, with an API key. */
  readonly baseUrl: string;
  readonly appId: string;
  readonly keyId: string;
  readonly secret: string;
  readonly userIds: readonly string[];
  readonly roles: readonly string[];
  /** The Management API by its function URL, for signatures of the service `lambda`. */
  readonly manageUrl: string;
  readonly region: string;
  /** The Management API at `baseUrl`, for tokens. */
  readonly issuer: string;
  readonly audience: string;
  readonly clientId: string;
}

/** All that concerns users, and no end: the example is there to be tried. */
const exampleKeyBody = { scopes: ['access:read', 'access:write', 'roles:write'], expiresAt: null } as const;

/** Fills an empty table with the example company, through the Management API. Keeps existing data and a valid API key. */
export async function seedExample(options: SeedOptions): Promise<SeededExample> {
  const { baseUrl, manageUrl, setupUrl = manageUrl, accessKey, issuer, audience } = options;
  const manage = createLocalManagement(setupUrl, accessKey);
  const seeded = exampleApplications.map(async (application) => {
    return [application.appId, await seedApplication(manage, application)] as const;
  });
  const appIds = new Map(await Promise.all(seeded));
  await Promise.all(exampleUsers.map((user) => seedUser(manage, user, appIds)));
  const [{ appId: firstId, roles }] = exampleApplications;
  const appId = appIds.get(firstId) ?? firstId;
  const key =
    (await readValidKey(manage, appId, options.file)) ??
    (await manage.call('issue-key', { path: { appId }, body: exampleKeyBody }));
  const example: SeededExample = {
    baseUrl,
    appId,
    keyId: key.keyId,
    secret: key.secret,
    userIds: exampleUsers.map(({ userId }) => userId),
    roles: Object.keys(roles),
    manageUrl,
    region: localAccess.region,
    ...accessKey,
    issuer,
    audience,
    // Tokens of a user pool, and of the login that replaces it, have the client as their audience
    // (`lib/operators/operator-login.ts`).
    clientId: audience,
  };
  writeWhole(options.file, `${JSON.stringify(example, null, 2)}\n`);
  return example;
}

/** Returns the application's id: the id of a deleted application cannot be reused. */
async function seedApplication(
  manage: ManagementClient,
  { appId: wanted, name, roles }: ExampleApplication,
): Promise<string> {
  const appId = await createApplication(manage, wanted, name);
  const existing = new Set<string>();
  for await (const { role } of manage.items('list-roles', { path: { appId } })) existing.add(role);
  const missing = Object.entries(roles).filter(([role]) => !existing.has(role));
  // 409: the role was deleted a moment ago.
  await Promise.all(
    missing.map(([role, description]) =>
      unlessRefused(manage.call('define-role', { path: { appId, role }, body: { description } }), 409),
    ),
  );
  return appId;
}

async function createApplication(manage: ManagementClient, wanted: string, name: string): Promise<string> {
  for (let at = 1; ; at++) {
    const appId = at === 1 ? wanted : `${wanted}-${at}`;
    if (await unlessRefused(manage.call('create-application', { body: { appId, name } }), 409)) return appId;
    if (await unlessRefused(manage.call('get-application', { path: { appId } }), 404)) return appId;
  }
}

/** Sets roles, blocks and status only for a new user: an existing user is not changed. */
async function seedUser(
  manage: ManagementClient,
  { userId, displayName, email, roles = {}, blocked, inactive }: ExampleUser,
  appIds: ReadonlyMap<string, string>,
): Promise<void> {
  const path = { userId };
  const idOf = (wanted: string) => appIds.get(wanted) ?? wanted;
  const creation = manage.call('create-user', { path, body: { displayName, email } });
  if ((await unlessRefused(creation, 409)) === undefined) return;
  for (const [wanted, names] of Object.entries(roles)) {
    // 404 and 409: the role was deleted.
    for (const role of names) {
      await unlessRefused(manage.call('assign-user-role', { path: { userId, appId: idOf(wanted), role } }), 404, 409);
    }
  }
  if (blocked) {
    const body = { status: 'disabled', reason: blocked.reason } as const;
    await manage.call('set-user-access', { path: { userId, appId: idOf(blocked.appId) }, body });
  }
  if (inactive) await manage.call('set-user-status', { path, body: { status: 'inactive', reason: inactive } });
}

/** Returns the key of an earlier start, if it is still valid. */
async function readValidKey(manage: ManagementClient, appId: string, file: string) {
  const kept = v.safeParse(keySchema, readJson(file));
  if (!kept.success) return undefined;
  for await (const { keyId, expiresAt, revokedAt } of manage.items('list-keys', { path: { appId } })) {
    if (keyId !== kept.output.keyId) continue;
    return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now()) ? kept.output : undefined;
  }
  return undefined;
}

const keySchema = v.object({ keyId: v.string(), secret: v.string() });

/** Returns undefined if the file is missing or was damaged by an interrupted start. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The answer of a call, or undefined if the service refuses it with one of these statuses. */
async function unlessRefused<Answer>(
  calling: Promise<Answer>,
  ...statuses: readonly number[]
): Promise<Answer | undefined> {
  try {
    return await calling;
  } catch (error) {
    if (error instanceof ManagementError && statuses.includes(error.status ?? 0)) return undefined;
    throw error;
  }
}
