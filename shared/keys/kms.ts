import { createSecretKey, type KeyObject } from 'node:crypto';
import { GenerateMacCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
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

/** Signs a text of at most 4096 bytes with a key of P-256: R and S next to each other, as in a JWS (RFC 7518 section 3.4). */
export async function signWithKms(keyArn: string, text: string): Promise<Uint8Array> {
  kms ??= newKmsClient();
  const { Signature } = await kms.send(
    new SignCommand({
      KeyId: keyArn,
      SigningAlgorithm: 'ECDSA_SHA_256',
      MessageType: 'RAW',
      Message: Buffer.from(text),
    }),
  );
  if (Signature === undefined) throw new Error('KMS returned no signature');
  return joinIntegers(Buffer.from(Signature));
}

/** Signs a text of at most 4096 bytes with an RSA key: RS256 (RFC 7518 section 3.3). */
export async function signRs256WithKms(keyArn: string, text: string): Promise<Buffer> {
  kms ??= newKmsClient();
  const command = { KeyId: keyArn, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256', MessageType: 'RAW' } as const;
  const { Signature } = await kms.send(new SignCommand({ ...command, Message: Buffer.from(text) }));
  if (Signature === undefined) throw new Error('KMS returned no signature');
  return Buffer.from(Signature);
}

/** The public part of an asymmetric key, in DER (SubjectPublicKeyInfo, RFC 5280). */
export async function publicKeyInKms(keyArn: string): Promise<Buffer> {
  kms ??= newKmsClient();
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyArn }));
  if (PublicKey === undefined) throw new Error('KMS returned no public key');
  return Buffer.from(PublicKey);
}

/**
 * KMS answers a DER sequence of two integers (RFC 3279 section 2.2.3): each has a byte 0 before it if its first bit is set, and
 * no other zeros before it.
 */
function joinIntegers(der: Buffer): Buffer {
  const first = 4 + (der[3] ?? 0);
  const integers = [der.subarray(4, first), der.subarray(first + 2)].map((integer) => integer.subarray(-32));
  return Buffer.concat(integers.flatMap((integer) => [Buffer.alloc(32 - integer.length), integer]));
}

function newKmsClient(): KMSClient {
  const client = new KMSClient(awsClientOptions);
  enforceDeadline(client);
  return client;
}
