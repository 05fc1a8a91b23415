import { clockSkewSeconds } from '#shared/contract/time-bounds.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { digest } from '#shared/core/ids.ts';
import {
  type Call,
  type CompletedCall,
  keepCompletedCall,
  type Outcome,
  recordAttempt,
} from '#shared/table/items/call-item.ts';
import { idempotencyKey, nonceKey } from '#shared/table/keys/call-item-keys.ts';
import type { OperatorContext, RequestContent, RequestContext, SignedContext } from './request-context.ts';

/** How long a signature is accepted after it was created, and how far apart the attempts of one call may be created. */
const windowSeconds = 300;
const idempotencyRetentionSeconds = 86_400;

/**
 * The call that a request is an attempt of: a signed call is identified by its key and nonce; an operator's by the
 * operator and `Idempotency-Key`, or else by the request id. Undefined if nothing must happen only once, as in a
 * dry run.
 */
export function callOf(context: RequestContext): Call | undefined {
  const { attempt, dryRun = false } = context;
  if (attempt === undefined || dryRun) return undefined;
  const call = 'signature' in attempt ? signedCall(context, attempt) : operatorCall(context, attempt);
  if (attempt.subject === undefined) return call;
  return { ...call, key: idempotencyKey(digest(JSON.stringify([call.key.pk, attempt.subject]))) };
}

function signedCall(
  { caller, requestId }: RequestContext,
  { content, signature }: NonNullable<SignedContext['attempt']>,
): Call {
  if (caller.kind !== 'api-key') throw new Error('Only a key signs with a nonce');
  const { nonce, created, expires = Number.POSITIVE_INFINITY, mac } = signature;
  // By the slowest clock that accepts it: the table expires items by its own clock.
  const endsAt = Math.min(created + windowSeconds, expires) + clockSkewSeconds;
  return {
    key: nonceKey(caller.keyId, nonce),
    requestId,
    request: digestOf(content),
    signed: { signature: digest(mac), created, endsAt },
    named: true,
    // Another attempt to be answered may be created up to a window after this one, and an earlier one without an
    // outcome up to a window after now; each is accepted for another window.
    ttl: Math.max(created, secondsNow() + clockSkewSeconds) + 2 * windowSeconds + clockSkewSeconds,
  };
}

function operatorCall(
  { caller, requestId }: RequestContext,
  { content, idempotencyKey: key }: NonNullable<OperatorContext['attempt']>,
): Call {
  const name = key === undefined ? { requestId } : { caller: withoutRole(caller), key };
  return {
    key: idempotencyKey(digest(JSON.stringify(name))),
    requestId,
    request: digestOf(content),
    named: key !== undefined,
    ttl: secondsNow() + idempotencyRetentionSeconds,
  };
}

function secondsNow(): number {
  return Math.ceil(now().getTime() / 1000);
}

/** The operator's role may change between two attempts. */
function withoutRole(caller: RequestContext['caller'] & { readonly role?: unknown }): object {
  const { role: _, ...identity } = caller;
  return identity;
}

/** The same for all attempts of one call. */
function digestOf({ method, path, query, ifMatch, body }: RequestContent): string {
  return digest(JSON.stringify([method, path, query, ifMatch?.trim() ?? null, digest(body)]));
}

/**
 * The outcome of a completed call, for another attempt of the same call. An identical signature is a replay,
 * and so is the same nonce or key for a different request; when a request is refused, its nonce is kept for as long as its
 * signature is valid.
 */
export async function outcomeFor(call: Call, completed: CompletedCall): Promise<Outcome> {
  const { outcome } = completed;
  if (outcome !== undefined && completed.requestId === call.requestId) return outcome;
  if (outcome !== undefined && isAttemptOf(call, completed) && (await isFirstOfItsSignature(call))) return outcome;
  if (call.signed === undefined) {
    throw new ServiceError('idempotency_key_reused', {
      detail: 'This Idempotency-Key was used before for another request. Send a new one with each new request.',
    });
  }
  await keepName(call, completed, call.signed.endsAt);
  throw new ServiceError('nonce_replayed', {
    detail:
      'This nonce was already used for another call or with the same signature. Sign a new call with a new nonce; retry a call with its nonce and a later "created".',
  });
}

async function isFirstOfItsSignature(call: Call): Promise<boolean> {
  return call.signed === undefined || recordAttempt(call, call.signed);
}

/** Runs before a refusal: otherwise the stored call could expire first, and the identical attempt would take effect. */
async function keepName(call: Call, completed: CompletedCall, endsAt: number): Promise<void> {
  if (endsAt <= completed.ttl || (await keepCompletedCall(call, completed, endsAt))) return;
  throw new ServiceError('unavailable', { detail: 'Another attempt of this call is in progress. Try again.' });
}

function isAttemptOf({ request, signed }: Call, completed: CompletedCall): boolean {
  if (request !== completed.request) return false;
  if (signed === undefined || completed.signed === undefined) return signed === completed.signed;
  if (signed.signature === completed.signed.signature) return false;
  // A later attempt could be replayed after the stored call has expired.
  return signed.created <= completed.signed.created + windowSeconds;
}
