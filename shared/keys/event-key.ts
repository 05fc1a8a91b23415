import { createPublicKey } from 'node:crypto';
import { requireVariable } from '#shared/core/config.ts';
import { publicKeyInKms, signRs256WithKms } from './kms.ts';

/** The public key of security events as a JWK (RFC 7517, RFC 7518 section 6.3). */
export interface PublicEventKey {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

let known: Promise<PublicEventKey> | undefined;

/** The public key, by which receivers verify security events; read once. Throws if the deployment has none. */
export async function publicEventKey(): Promise<PublicEventKey> {
  known ??= readPublicKey(eventKeyArn());
  known.catch(() => {
    known = undefined;
  });
  return known;
}

async function readPublicKey(arn: string): Promise<PublicEventKey> {
  const key = createPublicKey({ key: await publicKeyInKms(arn), format: 'der', type: 'spki' });
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  return { kty: 'RSA', n, e, kid: keyIdOf(arn), alg: 'RS256', use: 'sig' };
}

/** Signs security events with the key in KMS, which never leaves it. Throws if the deployment has none. */
export function eventSigner() {
  const arn = eventKeyArn();
  return { keyId: keyIdOf(arn), sign: (content: string) => signRs256WithKms(arn, content) };
}

const eventKeyArn = () => requireVariable('EVENT_KEY_ARN');

function keyIdOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}
