import type { Caller } from '#shared/contract/change.ts';
import type { BulkId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';

/** Who makes a request, and which one; a Change records it beside the change itself. */
export type RequestContext = SignedContext | OperatorContext;

interface Requested {
  readonly requestId: string;
  readonly sourceIp: string;
  /** The bulk that this is part of; its Change carries it. */
  readonly bulkId?: BulkId | undefined;
  /** Whether to decide and answer, but to write nothing. Default: no. */
  readonly dryRun?: boolean;
}

/** A request signed with an API key. */
export interface SignedContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'api-key' }>;
  /** What the operation's record requires of the key. */
  readonly requiredScope: Scope;
  /** Undefined for a read. */
  readonly attempt?: (Attempt & { readonly signature: NonceSignature }) | undefined;
}

/** A request of an operator, whom AWS has authenticated and authorized. */
export interface OperatorContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'operator' }>;
  /** Undefined for a read, and for what a write does beyond its own effect. */
  readonly attempt?: (Attempt & { readonly idempotencyKey: string | undefined }) | undefined;
}

/** An attempt of a call that writes. */
export interface Attempt {
  readonly asked: AskedFor;
  /** The one of several subjects that this part of the call is about. Default: the call as a whole. */
  readonly subject?: string;
}

/** What a request asks for, beside who asks. */
export interface AskedFor {
  readonly method: string;
  readonly path: string;
  /** As received, without the `?`. */
  readonly query: string;
  /** `If-Match`, which changes what a write means. */
  readonly ifMatch: string | undefined;
  readonly body: Uint8Array;
}

/** What a signature says of the call that it is an attempt of. */
export interface NonceSignature {
  readonly nonce: string;
  /** In seconds since the epoch. */
  readonly created: number;
  /** In seconds since the epoch; undefined for as long as the clock window allows. */
  readonly expires?: number | undefined;
  readonly mac: Uint8Array;
}
