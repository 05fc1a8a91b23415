import * as v from 'valibot';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { type Item, putItem, readItems } from '../client.ts';
import { putEntry, putNewEntry } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import { attemptKey, type Key } from '../keys.ts';

/** One call of a caller, who may send it in several attempts. */
export interface Call {
  /** By the caller and the name that the caller gave the call. */
  readonly key: Key;
  /** Of this attempt. */
  readonly requestId: string;
  /** The digest of what is asked for: another one under the same key is another call. */
  readonly request: string;
  /** Of a signed attempt. */
  readonly signed?: SignedAttempt | undefined;
  /** Whether the caller gave the call a name; otherwise the request's own id is its name. */
  readonly named: boolean;
  /** When its item may go, in seconds since the epoch. */
  readonly ttl: number;
}

/** What tells one attempt of a call from another, and from its own replay. */
export interface SignedAttempt {
  /** A digest of the MAC. */
  readonly signature: string;
  /** In seconds since the epoch. */
  readonly created: number;
  /** When nobody can send it again any more, in seconds since the epoch. */
  readonly endsAt: number;
}

/** How a call ended, as the next attempt is answered. */
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
  /** Undefined where only a newer version can read it. */
  outcome: v.fallback(v.optional(outcomeSchema), undefined),
  ttl: v.number(),
});

/** The attempt of a call that ended it, and how. */
export type EndedCall = Readonly<v.InferOutput<typeof callItemSchema>> & {
  /** All that is stored of it, also what only a newer version can read. */
  readonly stored: Item;
};

/** Stores the outcome in a transaction; a refusal of this entry carries how the call has ended before. */
export function endCallEntry({ key, requestId, request, signed, ttl }: Call, outcome: Outcome) {
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

/** Stores the outcome by itself; answers how the call has ended before, if it has. */
export async function endCall(call: Call, outcome: Outcome): Promise<EndedCall | undefined> {
  const before = await putItem(endCallEntry(call, outcome));
  return before && endedCallOf(before);
}

/** Keeps an ended call until then, in seconds since the epoch; false when it was changed or removed since it was read. */
export async function keepEndedCall({ key }: Call, { stored, ttl }: EndedCall, until: number): Promise<boolean> {
  const { pk, sk } = key;
  return (await putItem(putEntry({ ...stored, pk, sk, ttl: until }, { equals: { ttl } }))) === undefined;
}

/** Notes an attempt that is answered with the outcome of another one; false when the identical attempt was noted before. */
export async function noteAttempt({ key, requestId }: Call, { signature, endsAt }: SignedAttempt): Promise<boolean> {
  const { pk, sk } = attemptKey(key, signature);
  const before = await putItem(putNewEntry({ pk, sk, requestId, ttl: endsAt }));
  return before === undefined || before.requestId === requestId;
}

/** How a call has ended; undefined while it has not. */
export async function readEndedCall({ key }: Call): Promise<EndedCall | undefined> {
  const [item] = await readItems([key]);
  return item && endedCallOf(item);
}

/** The ended call of the item that a refused condition returned. */
export function endedCallOf(item: Item): EndedCall {
  return { ...parseItem(callItemSchema, item), stored: item };
}
