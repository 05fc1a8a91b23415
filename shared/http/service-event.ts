import type { AppId, UserId } from '#shared/contract/ids.ts';
import type { NamesUser, ServiceRoute } from '#shared/contract/routes.ts';
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
  /** As the path names the user, not yet checked against the alphabet; undefined where it names none. */
  readonly userIdInPath: string | undefined;
  readonly appId: AppId;
  readonly context: RequestContext;
}

/** What an endpoint's operation receives: the user too, if the route's path names one. */
export type InputOf<Route extends ServiceRoute, Body> =
  NamesUser<Route> extends true ? ServiceInput<Body> & { readonly userId: UserId } : ServiceInput<Body>;

export interface ServiceInput<Body> {
  readonly appId: AppId;
  readonly body: Body;
  readonly ifMatch: readonly number[] | undefined;
}
