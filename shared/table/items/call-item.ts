import * as v from 'valibot';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { type Item, putItem, readItems } from '../client.ts';
import { putEntry, putNewEntry } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import type { Key } from '../key.ts';
import { attemptKey } from '../keys/call-item-keys.ts';

/** One call, which a caller may send in several attempts. */
export interface Call {
  /** Derived from the caller and the name of the call: its nonce or `Idempotency-Key`. */
  readonly key: Key;
  /** The request id of this attempt. */
  readonly requestId: string;
  /** The digest of the request's content: under the same key, another digest means another call. */
  readonly request: string;
  /** Undefined for an operator's attempt. */
  readonly signed?: SignedAttempt | undefined;
  /** Whether the caller named the call; otherwise the request id is its name. */
  readonly named: boolean;
  /** When its item expires, in seconds since the epoch. */
  readonly ttl: number;
}

/** Distinguishes the attempts of a call from each other, and from replays. */
export interface SignedAttempt {
  /** A digest of the MAC. */
  readonly signature: string;
  /** In seconds since the epoch. */
  readonly created: number;
  /** When its signature is no longer accepted, in seconds since the epoch. */
  readonly endsAt: number;
}

/** The outcome of a call, which later attempts receive too. */
export type Outcome = { readonly answer: unknown } | { readonly refusal: Refusal };

const refusalSchema = v.object({
  code: v.picklist(Object.keys(errorCatalogue) as ErrorCode[]),
  detail: v.string(),
  field: v.exactOptional(v.object({ name: v.string(), detail: v.string() })),
  members: v.exactOptional(v.record(v.string(), v.unknown())),
  headers: v.exactOptional(v.record(v.string(), v.string())),
});
export type Refusal = Readonly<v.InferOutput<typeof refusalSchema>>;

const outcomeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ answer: v.unknown() }), v.strictObject({ refusal: refusalSchema })]),
);

const callItemSchema = v.object({
  requestId: v.string(),
  request: v.string(),
  signed: v.optional(v.object({ signature: v.string(), created: v.number() })),
  /** Undefined if only a newer version can read it. */
  outcome: v.fallback(v.optional(outcomeSchema), undefined),
  ttl: v.number(),
});

/** A completed call: the attempt that completed it, and the outcome. */
export type CompletedCall = Readonly<v.InferOutput<typeof callItemSchema>> & {
  /** The item as stored, including attributes that only a newer version can read. */
  readonly stored: Item;
};

/** Stores the outcome in a transaction; if the call has already completed, the failure includes its item. */
export function completeCallEntry({ key, requestId, request, signed, ttl }: Call, outcome: Outcome) {
  return putNewEntry({
    pk: key.pk,
    sk: key.sk,
    requestId,
    request,
    ...(signed && { signed }),
    outcome: JSON.stringify(outcome),
    ttl,
  });
}

/** Stores the outcome outside a transaction; returns the completed call if it has already completed. */
export async function completeCall(call: Call, outcome: Outcome): Promise<CompletedCall | undefined> {
  const before = await putItem(completeCallEntry(call, outcome));
  return before && completedCallOf(before);
}

/** Keeps a completed call until this time, in seconds since the epoch; false if it was modified or removed since the read. */
export async function keepCompletedCall(
  { key }: Call,
  { stored, ttl }: CompletedCall,
  until: number,
): Promise<boolean> {
  const { pk, sk } = key;
  return (await putItem(putEntry({ ...stored, pk, sk, ttl: until }, { equals: { ttl } }))) === undefined;
}

/** Records an attempt that receives the outcome of another one; false if an identical attempt is already recorded. */
export async function recordAttempt({ key, requestId }: Call, { signature, endsAt }: SignedAttempt): Promise<boolean> {
  const { pk, sk } = attemptKey(key, signature);
  const before = await putItem(putNewEntry({ pk, sk, requestId, ttl: endsAt }));
  return before === undefined || before.requestId === requestId;
}

/** The completed call; undefined if it has not completed. */
export async function readCompletedCall({ key }: Call): Promise<CompletedCall | undefined> {
  const [item] = await readItems([key]);
  return item && completedCallOf(item);
}

/** The completed call of an item, such as one that a failed condition returned. */
export function completedCallOf(item: Item): CompletedCall {
  return { ...parseItem(callItemSchema, item), stored: item };
}
