import { createServiceCaller } from '#shared/calls/call-service.ts';
import type { Scope } from '#shared/contract/operation.ts';
import {
  type ApplicationKey,
  type LoginSecret,
  makeCurrent,
  putKey,
  readKey,
  readVersions,
  type SecretStage,
  type SecretVersions,
} from './key-secret.ts';
import { addLoginSecret, findLoginClient, isSecretOf, storedSecretOf } from './login-secret.ts';
import { callManage, ManageError } from './manage-caller.ts';

/** Whose keys are kept in which secret. */
export interface KeyOwner {
  readonly manageUrl: string;
  /** The base URL of the Service API, with a slash at the end. */
  readonly url: string;
  readonly appId: string;
  /** The label of the keys, by which this stack's are known among others of the application. */
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly secretId: string;
  /** Whether people log in to the application by a confidential client, whose secret is kept with the key. */
  readonly hasLoginSecret: boolean;
}

interface ListedKey {
  readonly keyId: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
}

/**
 * Issues a key unless the secret has one of the application with these scopes, and the secret of its login if it has one. The key
 * before stays valid until the next rotation, and a deployment that is rolled back returns to it. `token` makes a repeat of this
 * the same.
 */
export async function ensureKey(owner: KeyOwner, token: string): Promise<void> {
  const { secretId } = owner;
  const keys = await ownKeys(owner);
  const client = owner.hasLoginSecret ? await findLoginClient(owner) : undefined;
  const isWanted = (stored: ApplicationKey | undefined) =>
    stored?.url === owner.url &&
    isSecretOf(client, stored) &&
    keys.some(({ keyId, scopes }) => keyId === stored.keyId && isSame(scopes, owner.scopes));
  if (isWanted(await readKey(secretId, 'AWSCURRENT'))) return;
  if (isWanted(await readKey(secretId, 'AWSPREVIOUS'))) {
    const [current, previous] = versionsAt(await readVersions(secretId), ['AWSCURRENT', 'AWSPREVIOUS']);
    await makeCurrent(secretId, previous ?? '', current);
    return;
  }
  // A rotation that has begun would return to what was before: its version is no longer the pending one.
  await storeNewKey(owner, token, ['AWSCURRENT', 'AWSPENDING'], { renewsLogin: false });
}

/**
 * If it cannot be stored, a repeat of this gets the same key again, and the next rotation revokes it. The login keeps its secret unless it
 * has none or is to get another one, and then the one in use stays valid.
 */
async function storeNewKey(
  owner: KeyOwner,
  token: string,
  stages: readonly SecretStage[],
  { renewsLogin }: { readonly renewsLogin: boolean },
): Promise<void> {
  const key = await issueKey(owner, token).catch(async (error: unknown) => {
    if (!(error instanceof ManageError) || error.code !== 'too_many_keys') throw error;
    await revokeReplaced(owner);
    // The refusal is the outcome of the first token.
    return issueKey(owner, `${token}-again`);
  });
  await putKey(owner.secretId, token, stages, { ...key, ...(await loginSecretOf(owner, renewsLogin)) });
}

async function loginSecretOf(owner: KeyOwner, isRenewed: boolean): Promise<Partial<LoginSecret>> {
  if (!owner.hasLoginSecret) return {};
  const client = await findLoginClient(owner);
  const inUse = storedSecretOf(client, await readKey(owner.secretId, 'AWSCURRENT'));
  return inUse === undefined || isRenewed ? await addLoginSecret(owner, client, inUse) : inUse;
}

/**
 * A request of Secrets Manager to rotate a secret, whose new version has the token as its id.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export interface RotationRequest {
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
  readonly SecretId: string;
  readonly ClientRequestToken: string;
}

/**
 * Performs a step of a rotation; each may be repeated. A key stays valid until the rotation after the one that replaced it, so an
 * application may keep it for a whole interval, and a rotation that fails at any step ends no key.
 */
export async function rotateKey(owner: KeyOwner, { Step, ClientRequestToken: token }: RotationRequest): Promise<void> {
  const { secretId } = owner;
  if (Step === 'createSecret' && (await readKey(secretId, 'AWSPENDING', token)) === undefined) {
    await storeNewKey(owner, token, ['AWSPENDING'], { renewsLogin: true });
  }
  if (Step === 'testSecret') await requireAccepted(await testedKey(secretId, token));
  if (Step === 'finishSecret') {
    const [current, pending] = versionsAt(await readVersions(secretId), ['AWSCURRENT', 'AWSPENDING']);
    if (current !== token) {
      if (pending !== token) throw new Error('A deployment has replaced the key that this rotation issued');
      await makeCurrent(secretId, token, current);
    }
    await revokeReplaced(owner);
  }
}

/** When a schedule is set without a rotation, Secrets Manager only tests, by a pending version that has no new key. */
async function testedKey(secretId: string, token: string): Promise<ApplicationKey | undefined> {
  const pending = await readKey(secretId, 'AWSPENDING', token);
  return pending?.keyId === undefined ? readKey(secretId, 'AWSCURRENT') : pending;
}

/** The versions that have these stages. */
function versionsAt(versions: SecretVersions, wanted: readonly SecretStage[]): readonly (string | undefined)[] {
  const entries = Object.entries(versions);
  return wanted.map((stage) => entries.find(([, stages]) => stages.includes(stage))?.[0]);
}

async function issueKey(owner: KeyOwner, token: string): Promise<ApplicationKey> {
  const { manageUrl, url, appId, label, scopes } = owner;
  const input = { path: { appId }, body: { label, scopes, expiresAt: null } };
  const { keyId, secret } = await callManage(manageUrl, 'issue-key', input, token);
  return { keyId, secret, url };
}

/** The keys in the secret stay: the current one, the one before, and one that a rotation has not finished. */
async function revokeReplaced(owner: KeyOwner): Promise<void> {
  const stages = ['AWSCURRENT', 'AWSPREVIOUS', 'AWSPENDING'] as const;
  const kept = await Promise.all(stages.map((stage) => readKey(owner.secretId, stage)));
  const ids = kept.map((key) => key?.keyId);
  for (const { keyId } of await ownKeys(owner)) if (!ids.includes(keyId)) await revoke(owner, keyId);
}

async function revoke({ manageUrl, appId }: KeyOwner, keyId: string): Promise<void> {
  await callManage(manageUrl, 'revoke-key', { path: { appId, keyId } });
}

/** The valid keys with the label; an application has at most ten, and one page has them all. */
async function ownKeys({ manageUrl, appId, label }: KeyOwner): Promise<readonly ListedKey[]> {
  const { items } = await callManage(manageUrl, 'list-keys', { path: { appId }, query: { limit: 100 } });
  return items.filter((key) => key.label === label && key.revokedAt === null && key.expiresAt === null);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

/** Any answer but 401 shows that the signature was accepted: the user need not exist, nor the key have the scope. */
async function requireAccepted(key: ApplicationKey | undefined): Promise<void> {
  if (key === undefined) throw new Error('The secret has no key');
  const caller = createServiceCaller(key.url.replace(/\/$/, ''));
  const { status, body } = await caller.send(caller.sign('get-access', { path: { userId: 'nobody' } }, key));
  if (status === 401 || status >= 500) throw new Error(`The service answered ${status} ${body.code} to the new key`);
}
