import type { Caller } from '#shared/contract/change.ts';
import type { Scope } from '#shared/contract/operation.ts';
import type { Call } from '#shared/table/items/call-item.ts';

/** Who makes a request, and which one; a Change records it beside the change itself. */
export type RequestContext = SignedContext | OperatorContext;

interface Requested {
  readonly requestId: string;
  readonly sourceIp: string;
  /** What a write is a part of; undefined for a read, and for what a write does beyond its own effect. */
  readonly call?: Call | undefined;
}

/** A request signed with an API key. */
export interface SignedContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'api-key' }>;
  /** What the operation's record requires of the key. */
  readonly requiredScope: Scope;
}

/** A request of an operator, whom AWS has authenticated and authorized. */
export interface OperatorContext extends Requested {
  readonly caller: Extract<Caller, { kind: 'operator' }>;
}
