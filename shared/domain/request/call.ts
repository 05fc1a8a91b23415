import type { KeyId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { digest } from '#shared/core/ids.ts';
import type { Call, EndedCall, Outcome } from '#shared/table/items/call-item.ts';
import { idempotencyKey, nonceKey } from '#shared/table/keys.ts';

/** How far apart the attempts of one signed call may be created: as far as the clock window reaches. */
const attemptsSeconds = 300;
/** The last attempt was created so long after the first at most, and is accepted for as long again. */
const nonceRetentionSeconds = 2 * attemptsSeconds;
const idempotencyRetentionSeconds = 86_400;

/** A signed request that writes. */
export interface SignedWrite {
  readonly keyId: KeyId;
  readonly nonce: string;
  /** `created` of the signature, in seconds since the epoch. */
  readonly created: number;
  readonly mac: Uint8Array;
  readonly requestId: string;
  /** What is asked for, as `digestRequest` says it. */
  readonly request: string;
}

/** The call of a signed request: its nonce names it, within its key. */
export function signedCall({ keyId, nonce, created, mac, requestId, request }: SignedWrite): Call {
  return {
    key: nonceKey(keyId, nonce),
    requestId,
    request,
    signed: { signature: digest(mac), created },
    named: true,
    ttl: created + nonceRetentionSeconds,
  };
}

/** A request of an operator that writes. */
export interface OperatorWrite {
  /** Who, as the audit names it. */
  readonly operator: string;
  /** Of `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly requestId: string;
  readonly request: string;
}

/** The call of an operator's request: the `Idempotency-Key` names it, within the operator; else the request's own id. */
export function operatorCall({ operator, key, requestId, request }: OperatorWrite): Call {
  const name = JSON.stringify(key === undefined ? { requestId } : { operator, key });
  return {
    key: idempotencyKey(digest(name)),
    requestId,
    request,
    named: key !== undefined,
    ttl: Math.ceil(now().getTime() / 1000) + idempotencyRetentionSeconds,
  };
}

/** The part of a call that concerns one of several subjects, which ends by itself. */
export function partOfCall(call: Call | undefined, subject: string): Call | undefined {
  return call && { ...call, key: idempotencyKey(digest(`${call.key.pk}\n${subject}`)) };
}

/**
 * The outcome of the attempt that ended a call, for another attempt of the same call. The identical signature is a
 * replay, and so is the same name for something else.
 */
export function outcomeFor(call: Call, ended: EndedCall): Outcome {
  const { outcome } = ended;
  if (outcome !== undefined && (ended.requestId === call.requestId || isAttemptOf(call, ended))) return outcome;
  if (call.signed !== undefined) {
    throw new ServiceError('nonce_replayed', {
      detail:
        'This nonce was used before, for another call or by the same signature. Sign a new call with a new nonce, a new attempt of a call with its nonce and a later "created".',
    });
  }
  throw new ServiceError('idempotency_key_reused', {
    detail: 'This Idempotency-Key was used before for another request. Send a new one with each new request.',
  });
}

function isAttemptOf({ request, signed }: Call, ended: EndedCall): boolean {
  if (request !== ended.request) return false;
  if (signed === undefined || ended.signed === undefined) return signed === ended.signed;
  if (signed.signature === ended.signed.signature) return false;
  // A later one could be replayed when the item of the call is gone.
  return signed.created <= ended.signed.created + attemptsSeconds;
}
