import { createSecretKey, type KeyObject } from 'node:crypto';
import { apiKeyRoots, purposeOf, type RootPurpose, rootVersionPattern } from '#shared/contract/root-purposes.ts';
import { isOnLambda, rootKeySources } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { createMacKey } from '#shared/signature/mac.ts';
import { deriveSecret, type KeyIdParts } from './key-id.ts';
import { generateRoot } from './kms.ts';

const localPrefix = 'local:';
const maxMacKeys = 1000;

const entryPattern = new RegExp(`^(${rootVersionPattern})=(local:[A-Za-z0-9+/]{43}=|arn:\\S+:key/\\S+)$`);

/** `ROOT_KEYS` as a map from version to its source, those of each purpose oldest first. */
const sources = readSources(rootKeySources());
const roots = new Map<string, Promise<KeyObject>>();
const macKeys = new Map<string, KeyObject>();

/**
 * The versions for a purpose, oldest first. A deployment that has none for it yet uses those of API keys: while a release adds
 * the first one, both versions of a function must derive the same.
 */
export function rootVersionsFor(purpose: RootPurpose): readonly string[] {
  const own = [...sources.keys()].filter((version) => purposeOf(version) === purpose);
  return own.length > 0 || purpose === apiKeyRoots ? own : rootVersionsFor(apiKeyRoots);
}

/** The version from which new secrets for a purpose are derived. Throws if the process has none. */
export function latestRootVersion(purpose: RootPurpose): string {
  const latest = rootVersionsFor(purpose).at(-1);
  if (latest === undefined) throw new Error(`ROOT_KEYS lists no root for the purpose ${purpose}`);
  return latest;
}

/** The MAC key of a key id; undefined if its root version does not exist. Reads no table. */
export async function macKey(key: KeyIdParts): Promise<KeyObject | undefined> {
  const known = macKeys.get(key.keyId);
  if (known !== undefined) return known;
  const root = await rootKey(key.rootVersion);
  return root && createMacKey(deriveSecret(root, key.keyId));
}

/** Caches a MAC key. Only after a valid MAC: otherwise guessed key ids would evict real ones. */
export function rememberMacKey(keyId: string, key: KeyObject): void {
  if (macKeys.has(keyId)) return;
  if (macKeys.size >= maxMacKeys) macKeys.delete(macKeys.keys().next().value ?? '');
  macKeys.set(keyId, key);
}

/**
 * The root of a version; undefined if there is no such version. One KMS call per version and cold start, started at
 * module load; a failed call is retried. Fails with 503 `unavailable`, never as a wrong signature.
 */
export async function rootKey(version: string): Promise<KeyObject | undefined> {
  const source = sources.get(version);
  if (source === undefined) return undefined;
  try {
    return await (roots.get(version) ?? load(version, source));
  } catch (cause) {
    throw new ServiceError('unavailable', { detail: 'The key service did not respond. Try again.', cause });
  }
}

/**
 * The root of a version for a purpose, or of a version of API keys, from which everything was derived before; undefined for a
 * version of any other purpose: whoever holds only that root must not be able to derive what others accept. Fails like `rootKey`.
 */
export async function rootFor(purpose: RootPurpose, version: string): Promise<KeyObject | undefined> {
  return [purpose, apiKeyRoots].includes(purposeOf(version)) ? rootKey(version) : undefined;
}

for (const [version, source] of sources) load(version, source).catch(() => undefined);

function load(version: string, source: string): Promise<KeyObject> {
  const root = source.startsWith(localPrefix) ? Promise.resolve(localRoot(source)) : generateRoot(version, source);
  roots.set(version, root);
  root.catch(() => {
    roots.delete(version);
    publishMetrics({ RootKeyFailures: 1 });
  });
  return root;
}

function localRoot(source: string): KeyObject {
  return createSecretKey(Buffer.from(source.slice(localPrefix.length), 'base64'));
}

function readSources(text: string): Map<string, string> {
  const entries = text.split(',').map((entry) => readSource(entry.trim()));
  return new Map(entries);
}

function readSource(entry: string): [string, string] {
  const [, version, source] = entryPattern.exec(entry) ?? [];
  // The message leaves out the entry: a local root is a secret.
  if (version === undefined || source === undefined) {
    throw new Error('ROOT_KEYS must list <version>=<KMS key ARN>, such as k1=arn:aws:kms:eu-west-1:111122223333:key/…');
  }
  if (source.startsWith(localPrefix) && isOnLambda())
    throw new Error('ROOT_KEYS: local roots are not allowed on Lambda');
  return [version, source];
}
