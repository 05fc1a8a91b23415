import { hkdfSync } from 'node:crypto';
import type { WebhookName } from '#shared/contract/fields.ts';
import { latestRootVersion, rootFor } from '#shared/keys/root-keys.ts';
import { webhookRoots } from '../contract/webhook-names.ts';

/** The id of a new secret: `<root version>_<ULID>`, so a webhook that is created again gets another secret. */
export function formatSecretId(ulid: string): string {
  return `${latestRootVersion(webhookRoots)}_${ulid}`;
}

/**
 * Derives the 32 bytes of a webhook's secret by HKDF-SHA256 (RFC 5869) from the root, the webhook and the id of the secret. No
 * other key uses the info string. Fails with 503 like `rootKey`.
 */
export async function deriveWebhookSecret({ appId, webhookId }: WebhookName, secretId: string): Promise<Buffer> {
  const root = await rootFor(webhookRoots, secretId.split('_', 1)[0] ?? '');
  if (root === undefined) throw new Error('ROOT_KEYS does not list the root version of a webhook secret');
  return Buffer.from(hkdfSync('sha256', root, '', `auth-service/webhook/${appId}/${webhookId}/${secretId}`, 32));
}

/** The secret as its receiver configures it (Standard Webhooks 1.0.0, "Signature scheme"). */
export async function formatWebhookSecret(name: WebhookName, secretId: string): Promise<string> {
  return `whsec_${(await deriveWebhookSecret(name, secretId)).toString('base64')}`;
}
