import type { Caller } from '#shared/contract/caller.ts';
import type { HttpEvent } from './http-event.ts';

/** An event of the Management API and what has been learnt of it. */
export interface ManageEvent extends HttpEvent {
  /** Set by `identifyOperator`. */
  operator?: Caller;
  /** The operation that the router chose, for the log. */
  routeName?: string;
}
