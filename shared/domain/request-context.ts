import type { Caller } from '#shared/contract/caller.ts';
import type { Nonce } from '#shared/table/nonce.ts';

/** Who asks, and in which request; what a Change records beside the change itself. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly sourceIp: string;
  /** Of a signed request; a write spends it. */
  readonly nonce?: Nonce;
}
