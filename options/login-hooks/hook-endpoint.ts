import { type BearerHandlerOptions, bearerHandler } from '#options/connections/http/bearer-handler.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { parseJsonBody } from '#shared/http/middleware/request-body.ts';
import { answerHeaders } from '#shared/http/problem-response.ts';
import { answerLogin } from './answer-login.ts';
import { type TokenRequest, userIdOf } from './token-request.ts';

/** Okta waits for 3 s, of which a cold start takes up to one. Hydra documents no limit. */
const hookSeconds = 2;

/** Claims and groups make these bodies larger than others. */
const maxHookBytes = 128 * 1024;

export interface HookOptions<Request extends TokenRequest> extends Pick<BearerHandlerOptions, 'tokenOf' | 'respondTo'> {
  /** Reads the body; throws 400 `invalid_request`. */
  readonly read: (body: unknown) => Request;
  /** The response that lets the identity provider issue the tokens; without roles if no user logs in. */
  readonly allow: (request: Request, roles: readonly string[] | undefined) => HttpResult;
}

/** An endpoint that an identity provider calls before it issues tokens. A denial is the error 403 `access_denied`. */
export function hookEndpoint<Request extends TokenRequest>(
  endpoint: BearerEndpoint,
  options: HookOptions<Request>,
): HttpHandler {
  const { read, allow, ...others } = options;
  return bearerHandler(endpoint, {
    ...others,
    limitSeconds: hookSeconds,
    maxBytes: maxHookBytes,
    middlewares: [parseJsonBody()],
    handle: async (event, caller) => {
      const request = read(event.body);
      const { clientId, user } = request;
      const userIdBy = user && ((claim: string | null) => userIdOf(user, claim));
      const answer = await answerLogin({ clientId, userIdBy }, caller);
      if ('roles' in answer) return allow(request, answer.roles);
      throw new ServiceError('access_denied', { detail: denial, members: { reason: answer.denied } });
    },
  });
}

/** Identity providers show it to the user. */
const denial = 'You have no access to this application.';

/** The JSON response of a hook. */
export function hookResponse(body: object): HttpResult {
  return {
    statusCode: 200,
    headers: { ...answerHeaders, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
