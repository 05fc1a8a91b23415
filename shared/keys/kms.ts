import { createSecretKey, type KeyObject } from 'node:crypto';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { awsClientOptions, enforceDeadline } from '#shared/core/aws-client.ts';
import { currentSignal } from '#shared/core/clock.ts';

let kms: KMSClient | undefined;

/** Derives a root in KMS: the raw result of GenerateMac is suitable for key derivation (AWS KMS API reference, GenerateMac). */
export async function generateRoot(version: string, keyArn: string): Promise<KeyObject> {
  kms ??= newKmsClient();
  const abortSignal = currentSignal();
  const message = Buffer.from(`auth-service/root/${version}`);
  const { Mac } = await kms.send(
    new GenerateMacCommand({ KeyId: keyArn, MacAlgorithm: 'HMAC_SHA_256', Message: message }),
    abortSignal === undefined ? {} : { abortSignal },
  );
  if (Mac === undefined) throw new Error('KMS returned no MAC');
  return createSecretKey(Mac);
}

function newKmsClient(): KMSClient {
  const client = new KMSClient(awsClientOptions);
  enforceDeadline(client);
  return client;
}
