import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { scopes } from '#shared/contract/routes.ts';

export interface SeedOptions {
  readonly baseUrl: string;
  readonly tableName: string;
  /** Of DynamoDB. */
  readonly endpoint: string;
  /** As the functions get it in `ROOT_KEYS`. */
  readonly rootKeys: string;
  /** Where the credentials are written, readable by their owner alone. */
  readonly file: string;
}

export interface SeededExample {
  readonly baseUrl: string;
  readonly appId: string;
  readonly keyId: string;
  readonly secret: string;
  readonly userIds: readonly string[];
  readonly roles: readonly string[];
}

const applications = [
  { appId: 'billing', name: 'Billing', roles: ['viewer', 'editor', 'admin'] },
  { appId: 'wiki', name: 'Wiki', roles: ['reader', 'author'] },
] as const;
const [billing] = applications;

const users = [
  { userId: 'ada', displayName: 'Ada Lovelace' },
  { userId: 'grace', displayName: 'Grace Hopper' },
  { userId: 'alan', displayName: 'Alan Turing' },
  { userId: 'auth0|123', displayName: 'A user of another identity provider' },
] as const;

const context = {
  caller: { kind: 'operator', id: 'local-seed' },
  requestId: 'local-seed',
  sourceIp: '127.0.0.1',
} as const;

/** Fills an empty table with a small example through the domain's own operations; one that is there is kept, and its key. */
export async function seedExample(options: SeedOptions): Promise<SeededExample> {
  const operations = await loadOperations(options);
  for (const application of applications) await seedApplication(operations, application);
  for (const { userId, displayName } of users) {
    await unlessThere(operations.createUser({ userId: userId as UserId, displayName, email: null }, context));
  }
  const key = (await keptKey(operations, options)) ?? (await newKey(operations));
  const example: SeededExample = {
    baseUrl: options.baseUrl,
    appId: billing.appId,
    ...key,
    userIds: users.map(({ userId }) => userId),
    roles: billing.roles,
  };
  writeFileSync(options.file, `${JSON.stringify(example, null, 2)}\n`, { mode: 0o600 });
  return example;
}

type Operations = Awaited<ReturnType<typeof loadOperations>>;

/** The operations read their configuration when they are loaded, as they do in Lambda. */
async function loadOperations({ tableName, endpoint, rootKeys }: SeedOptions) {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ROOT_KEYS: rootKeys,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  return {
    ...(await import('#shared/domain/create-application.ts')),
    ...(await import('#shared/domain/create-user.ts')),
    ...(await import('#shared/domain/define-role.ts')),
    ...(await import('#shared/domain/issue-key.ts')),
    ...(await import('#shared/table/application.ts')),
  };
}

async function seedApplication(operations: Operations, { appId, name, roles }: (typeof applications)[number]) {
  await unlessThere(operations.createApplication({ appId: appId as AppId, name }, context));
  for (const role of roles) {
    const wanted = { appId: appId as AppId, role: role as RoleName, description: null };
    await unlessThere(operations.defineRole(wanted, context));
  }
}

async function newKey({ issueKey }: Operations) {
  const { keyId, secret } = await issueKey({ appId: billing.appId as AppId, scopes, expiresAt: null }, context);
  return { keyId, secret };
}

/** The key of an earlier start, as long as the application still has it. */
async function keptKey({ readApplication }: Operations, { file }: SeedOptions) {
  if (!existsSync(file)) return undefined;
  const { keyId, secret } = JSON.parse(readFileSync(file, 'utf8')) as Partial<SeededExample>;
  if (keyId === undefined || secret === undefined) return undefined;
  const application = await readApplication(billing.appId as AppId);
  const state = application?.keys[keyId];
  return state !== undefined && state.revokedAt === null ? { keyId, secret } : undefined;
}

async function unlessThere(creating: Promise<unknown>): Promise<void> {
  try {
    await creating;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'already_exists')) throw error;
  }
}
