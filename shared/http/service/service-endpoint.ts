import type { AppId } from '#shared/contract/fields.ts';
import type { ServiceApiDimensions } from '#shared/contract/metrics.ts';
import type { AnswerOf, ParsedInput, ServiceOperation } from '#shared/contract/operation.ts';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { withinLimit } from '#shared/domain/request/request-limit.ts';
import type { HttpEvent, HttpHandler } from '../http-event.ts';
import { inputParser, withPointer } from '../input.ts';
import { endpoint, jsonResponse } from '../middleware/endpoint.ts';
import { limitBody, parseJsonBody } from '../middleware/request-body.ts';
import { withNonce } from '../problem-response.ts';
import { authenticate, requireAllowedAddress, type ServiceEvent } from './authenticate.ts';

/**
 * What an operation of the Service API is given: the members of path, query and body together, the versions that the caller
 * has seen, and the application of the key. A member of the body comes before one of the query.
 */
export type ServiceInput<Described extends ServiceOperation> = ParsedInput<Described>['path'] &
  ParsedInput<Described>['query'] &
  Members<ParsedInput<Described>['body']> &
  Pick<ParsedInput<Described>, 'ifMatch'> & { readonly appId: AppId };
type Members<Body> = Body extends object ? Body : Record<never, never>;

export type ServiceRun<Described extends ServiceOperation> = (
  input: ServiceInput<Described>,
  context: RequestContext,
) => Promise<AnswerOf<Described> & object>;

/**
 * The one stack that every endpoint of the Service API shares: address, size, signature, JSON, input, operation. What the
 * schemas of the record cannot say of the input, `check` refuses.
 */
export function serviceEndpoint<const Described extends ServiceOperation>(
  operation: Described,
  run: ServiceRun<Described>,
  check: (event: HttpEvent) => void = () => undefined,
): HttpHandler {
  const parse = inputParser(operation);
  const handler = endpoint<ServiceEvent>({
    identify: ({ signed }) => ({ route: operation.name, caller: signed?.context.caller }),
    isBrief: !operation.writes,
    countedTogether: { api: 'service' } satisfies ServiceApiDimensions,
    // What a read writes, the day of its key's use, is written within the time of a write.
    limitSeconds: operation.writes ? undefined : attemptSeconds,
    middlewares: [requireAllowedAddress(), limitBody(), authenticate(operation), parseJsonBody()],
    handle: async (event) => {
      const { signed } = event;
      if (signed === undefined) throw new Error('The signature is verified first');
      check(event);
      const { path, query, body, ifMatch } = parse({ userId: signed.userIdInPath }, event);
      try {
        const { appId, context } = signed;
        const input = { ...path, ...query, ...(body as object | undefined), ifMatch, appId } as ServiceInput<Described>;
        return jsonResponse(await withinLimit(appId, () => run(input, context)));
      } catch (error) {
        throw withPointer(error, operation, event);
      }
    },
  });
  return async (event, context) => withNonce(event, await handler(event, context));
}
