import type { ApplicationChange } from '#shared/contract/change.ts';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import type { OutgoingPost } from './post-safely.ts';

const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const sessionRevoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const accountDisabled = `${risc}/account-disabled`;
const accountEnabled = `${risc}/account-enabled`;

/** What only tests a stream (OpenID Shared Signals Framework 1.0, section 8.1.4). */
export const verificationEvent = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

/** Signs bytes with RS256 (RFC 7518 section 3.3); `keyId` is in the key set that receivers read. */
export interface EventSigner {
  readonly keyId: string;
  readonly sign: (content: string) => Promise<Buffer>;
}

export interface EventParties {
  /** The URL of the service. */
  readonly issuer: string;
  /** The receiver, by its URL. */
  readonly audience: string;
  /** When the token is issued. */
  readonly at: Date;
}

/**
 * The security events of a change: a block ends sessions in its application; a user who becomes inactive or is erased, in all of
 * them; none if the change ends or allows nothing.
 */
export function securityEventsOf({ action, userId, after }: ApplicationChange): string[] {
  if (userId === undefined) return [];
  if (action === 'access.changed') return after?.status === 'disabled' ? [sessionRevoked] : [];
  if (action === 'user.deleted') return [sessionRevoked, accountDisabled];
  if (action !== 'user.status.changed' && action !== 'user.created') return [];
  if (after?.status === 'inactive') return [sessionRevoked, accountDisabled];
  return after?.status === 'active' ? [accountEnabled] : [];
}

/**
 * One Security Event Token with one event (RFC 8417), as it is pushed (RFC 8935). Its `jti` is the same for every attempt, and its
 * `txn` the change, which may cause two. It has no `exp` and no `sub`, as the Shared Signals Framework requires.
 */
export async function securityEventPost(
  change: Pick<ApplicationChange, 'id' | 'at' | 'userId'>,
  event: string,
  { issuer, audience, at: issuedAt }: EventParties,
  { keyId, sign }: EventSigner,
): Promise<OutgoingPost> {
  const { id, at, userId } = change;
  const toe = Math.floor(Date.parse(at) / 1000);
  const iat = Math.floor(issuedAt.getTime() / 1000);
  const isSession = event === sessionRevoked;
  const header = { alg: 'RS256', kid: keyId, typ: 'secevent+jwt' };
  const claims = {
    iss: issuer,
    jti: `${id}-${event.slice(event.lastIndexOf('/') + 1)}`,
    iat,
    toe,
    aud: audience,
    txn: id,
    // The test of a stream is about the stream.
    sub_id: userId === undefined ? { format: 'opaque', id: audience } : { format: 'iss_sub', iss: issuer, sub: userId },
    events: { [event]: isSession ? { event_timestamp: toe, initiating_entity: 'policy' } : {} },
  };
  const content = [header, claims].map((part) => Buffer.from(canonicalJson(part)).toString('base64url')).join('.');
  const signature = (await sign(content)).toString('base64url');
  return {
    headers: {
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      'user-agent': 'auth-service-webhooks',
    },
    body: `${content}.${signature}`,
  };
}
