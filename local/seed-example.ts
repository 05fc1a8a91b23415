import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { writeWhole } from '#shared/files/whole-file.ts';
import { type ExampleApplication, type ExampleUser, exampleApplications, exampleUsers } from './example-company.ts';
import type { AccessKey } from './local-credentials.ts';
import { createManageClient, type ManageAnswer, type ManageClient, signingScope } from './sigv4-client.ts';

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

/** Fills an empty table with the example company, through the Management API. Keeps existing data and a valid API key. */
export async function seedExample(options: SeedOptions): Promise<SeededExample> {
  const { baseUrl, manageUrl, setupUrl = manageUrl, accessKey, issuer, audience } = options;
  const ask = repeatUnavailable(createManageClient(setupUrl, accessKey));
  const seeded = exampleApplications.map(async (application) => {
    return [application.appId, await seedApplication(ask, application)] as const;
  });
  const appIds = new Map(await Promise.all(seeded));
  await Promise.all(exampleUsers.map((user) => seedUser(ask, user, appIds)));
  const [{ appId: firstId, roles }] = exampleApplications;
  const appId = appIds.get(firstId) ?? firstId;
  const example: SeededExample = {
    baseUrl,
    appId,
    ...((await readValidKey(ask, appId, options.file)) ?? (await createKey(ask, appId))),
    userIds: exampleUsers.map(({ userId }) => userId),
    roles: Object.keys(roles),
    manageUrl,
    region: signingScope.region,
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

/**
 * Repeats a request that the service could not answer in time, as on a busy machine, with the same Idempotency-Key, so
 * that it takes effect once.
 */
export function repeatUnavailable(ask: ManageClient): ManageClient {
  return async (method, path, body) => {
    const headers = { 'idempotency-key': `"${randomUUID()}"` };
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(method, path, body, method === 'GET' ? {} : headers);
      if (answer.status !== 503 || attempt === maxAttempts) return answer;
    }
  };
}

const maxAttempts = 10;

/** Returns the application's id: the id of a deleted application cannot be reused. */
async function seedApplication(ask: ManageClient, { appId: wanted, name, roles }: ExampleApplication): Promise<string> {
  const appId = await createApplication(ask, wanted, name);
  const listed = await expectStatus(ask('GET', `/applications/${appId}/roles?limit=100`), 200);
  const { items } = v.parse(roleListSchema, listed.body);
  const missing = Object.entries(roles).filter(([name]) => !items.some(({ role }) => role === name));
  // 409: the role was deleted a moment ago.
  await Promise.all(
    missing.map(([role, description]) =>
      expectStatus(ask('PUT', `/applications/${appId}/roles/${role}`, { description }), 201, 409),
    ),
  );
  return appId;
}

async function createApplication(ask: ManageClient, wanted: string, name: string): Promise<string> {
  for (let at = 1; ; at++) {
    const appId = at === 1 ? wanted : `${wanted}-${at}`;
    const created = await expectStatus(ask('POST', '/applications', { appId, name }), 201, 409);
    if (created.status === 201) return appId;
    const existing = await expectStatus(ask('GET', `/applications/${appId}`), 200, 404);
    if (existing.status === 200) return appId;
  }
}

/** Sets roles, blocks and status only for a new user: an existing user is not changed. */
async function seedUser(ask: ManageClient, user: ExampleUser, appIds: ReadonlyMap<string, string>): Promise<void> {
  const { userId, displayName, email, roles = {}, blocked, inactive } = user;
  const path = `/users/${encodeURIComponent(userId)}`;
  const created = await expectStatus(ask('PUT', path, { displayName, email }), 201, 409);
  if (created.status === 409) return;
  for (const [wanted, names] of Object.entries(roles)) {
    // 404 and 409: the role was deleted.
    for (const role of names) {
      await expectStatus(ask('PUT', `${path}/roles/${appIds.get(wanted)}/${role}`, {}), 200, 404, 409);
    }
  }
  if (blocked) {
    const setting = { status: 'disabled', reason: blocked.reason };
    await expectStatus(ask('PUT', `${path}/access/${appIds.get(blocked.appId)}`, setting), 200);
  }
  if (inactive) await expectStatus(ask('PUT', `${path}/status`, { status: 'inactive', reason: inactive }), 200);
}

async function createKey(ask: ManageClient, appId: string): Promise<v.InferOutput<typeof keySchema>> {
  return v.parse(keySchema, (await expectStatus(ask('POST', `/applications/${appId}/keys`, {}), 201)).body);
}

/** Returns the key of an earlier start, if it is still valid. */
async function readValidKey(ask: ManageClient, appId: string, file: string) {
  const kept = v.safeParse(keySchema, readJson(file));
  if (!kept.success) return undefined;
  const listed = await expectStatus(ask('GET', `/applications/${appId}/keys`), 200);
  const { items } = v.parse(keyListSchema, listed.body);
  const state = items.find(({ keyId }) => keyId === kept.output.keyId);
  const isValid = state?.revokedAt === null && (state.expiresAt === null || Date.parse(state.expiresAt) > Date.now());
  return isValid ? kept.output : undefined;
}

const keySchema = v.object({ keyId: v.string(), secret: v.string() });
const roleListSchema = v.object({ items: v.array(v.object({ role: v.string() })) });
const keyListSchema = v.object({
  items: v.array(v.object({ keyId: v.string(), expiresAt: v.nullable(v.string()), revokedAt: v.nullable(v.string()) })),
});

/** Returns undefined if the file is missing or was damaged by an interrupted start. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function expectStatus(pending: Promise<ManageAnswer>, ...expected: readonly number[]): Promise<ManageAnswer> {
  const answer = await pending;
  if (expected.includes(answer.status)) return answer;
  throw new Error(
    `The Management API answered ${answer.status} while seeding the example: ${JSON.stringify(answer.body)}`,
  );
}
