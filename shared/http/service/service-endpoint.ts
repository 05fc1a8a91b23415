import type { AppId } from '#shared/contract/fields.ts';
import type { AnswerOf, ParsedInput, ServiceOperation } from '#shared/contract/operation.ts';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { withinLimit } from '#shared/domain/request/request-limit.ts';
import type { Unread } from '../exactly.ts';
import type { HttpEvent, HttpHandler } from '../http-event.ts';
import { inputParser, readReason, withPointer } from '../input.ts';
import { requireAllowedAddress } from '../middleware/allowed-address.ts';
import { endpoint, jsonResponse } from '../middleware/endpoint.ts';
import { limitBody, parseJsonBody } from '../middleware/request-body.ts';
import { withNonce } from '../problem-response.ts';
import { authenticate, type ServiceEvent } from './authenticate.ts';

/**
 * The input of a Service API operation: the members of path, query and body combined, the versions that the caller
 * expects, and the application of the key. A member of the body overrides one of the query.
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

/** Does not compile for a function that does not read every member of the input. */
type ReadsAll<Described extends ServiceOperation, Read> = [
  Unread<Read, Omit<ServiceInput<Described>, 'appId' | (Described extends { ifMatch: true } ? never : 'ifMatch')>>,
] extends [never]
  ? unknown
  : never;

/**
 * The middleware stack of every Service API endpoint: address, size, signature, JSON, input, operation. `check` refuses
 * invalid input that the record's schemas cannot express.
 */
export function serviceEndpoint<const Described extends ServiceOperation, Run extends ServiceRun<Described>>(
  operation: Described,
  run: Run & ReadsAll<Described, Parameters<Run>[0]>,
  check: (event: HttpEvent) => void = () => undefined,
): HttpHandler {
  const parse = inputParser(operation);
  const handler = endpoint<ServiceEvent>({
    identify: ({ signed }) => ({ route: operation.name, caller: signed?.context.caller }),
    isBrief: !operation.writes,
    api: 'service',
    // A read also writes the day its key was last used, within the time limit of a write.
    limitSeconds: operation.writes ? undefined : attemptSeconds,
    middlewares: [requireAllowedAddress(), limitBody(), authenticate(operation), parseJsonBody()],
    handle: async (event) => {
      const { signed } = event;
      if (signed === undefined) throw new Error('authenticate must run first');
      check(event);
      const { path, query, body, ifMatch } = parse(signed.pathVariables, event);
      try {
        const { appId, context } = signed;
        const input = { ...path, ...query, ...(body as object | undefined), ifMatch, appId } as ServiceInput<Described>;
        return jsonResponse(await withinLimit(appId, () => run(input, { ...context, ...readReason({ body }) })));
      } catch (error) {
        throw withPointer(error, operation, event);
      }
    },
  });
  return async (event, context) => withNonce(event, await handler(event, context));
}
