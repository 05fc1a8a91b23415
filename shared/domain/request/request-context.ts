import type { Caller } from '#shared/contract/change.ts';
import type { BulkId, ConnectionId, KeyId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';

/** The caller and identity of a request, which its Change records. */
export type RequestContext = SignedContext | OperatorContext | ConnectionContext | ServiceContext;

interface Requested {
  readonly requestId: string;
  readonly sourceIp: string;
  /** The bulk that this is part of; recorded in its Change. */
  readonly bulkId?: BulkId | undefined;
  /** Why the request is made; recorded in its Change. */
  readonly reason?: string | null | undefined;
  readonly ticket?: string | null | undefined;
  /** Whether to decide and answer without writing. Default: false. */
  readonly dryRun?: boolean;
}

/** A request signed with an API key. */
export interface SignedContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'api-key' }>;
  /** The scope that the operation requires. */
  readonly requiredScope: Scope;
  /** Undefined for a read. */
  readonly attempt?: (Attempt & { readonly signature: NonceSignature }) | undefined;
}

/** A request of an operator, authenticated and authorized by AWS. */
export interface OperatorContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'operator' }>;
  /** Undefined for a read, and for follow-up work of a write. */
  readonly attempt?: (Attempt & { readonly idempotencyKey: string | undefined }) | undefined;
}

/** A request of a connection, whose token was verified. It has no nonce: so the operation itself must be safe to repeat. */
export interface ConnectionContext extends Requested {
  readonly caller: ConnectionCaller;
  readonly attempt?: undefined;
}

/** Who calls: a key of a connection, whose token was verified without the table. */
export interface ConnectionCaller {
  readonly kind: 'connection';
  readonly connectionId: ConnectionId;
  readonly keyId: KeyId;
}

/** What the service does on its own account, such as turning off a webhook. */
export interface ServiceContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'service' }>;
  /** Nobody sends it again. */
  readonly attempt?: undefined;
}

/** An attempt of a call that writes. */
export interface Attempt {
  readonly content: RequestContent;
  /** The subject of this part of the call. Default: the call as a whole. */
  readonly subject?: string;
}

/** The content of a request, without its caller. */
export interface RequestContent {
  readonly method: string;
  readonly path: string;
  /** As received, without the `?`. */
  readonly query: string;
  /** `If-Match`, which is part of the meaning of a write. */
  readonly ifMatch: string | undefined;
  readonly body: Uint8Array;
}

/** The parts of a signature that identify an attempt of a call. */
export interface NonceSignature {
  readonly nonce: string;
  /** In seconds since the epoch. */
  readonly created: number;
  /** In seconds since the epoch; undefined if only the clock window limits it. */
  readonly expires?: number | undefined;
  readonly mac: Uint8Array;
}
