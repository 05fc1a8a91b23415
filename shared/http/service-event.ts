import type { AppId, UserId } from '#shared/contract/ids.ts';
import type { RequestContext } from '#shared/domain/request-context.ts';
import type { HttpEvent } from './http-event.ts';

/** An event of the Service API and what the middlewares have learnt of it, each from the one before. */
export interface ServiceEvent extends HttpEvent {
  /** Set by `verifySignature`: from here on the caller is known. */
  signed?: SignedRequest;
  /** Set by `validateInput`. */
  input?: unknown;
}

/** What a valid signature says. */
export interface SignedRequest {
  /** As the path names the user; not yet checked against the alphabet. */
  readonly userIdInPath: string;
  readonly appId: AppId;
  readonly context: RequestContext;
}

/** What an endpoint's operation receives. */
export interface ServiceInput<Body> {
  readonly userId: UserId;
  readonly appId: AppId;
  readonly body: Body;
  readonly ifMatch: readonly number[] | undefined;
}
