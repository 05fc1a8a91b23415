import { serve } from '#test/simulation/deadlines.ts';
import type { OptionCode } from '#test/simulation/option-code.ts';
import { sourceIp } from '#test/simulation/source-ip.ts';
import type { ReceivedScim, ScimAnswer } from './scim-messages.ts';

type HttpHandler = (event: never, context: never) => Promise<{ readonly statusCode?: number; readonly body?: string }>;

let scimHandlers: Readonly<Record<string, HttpHandler>> = {};

/** Loads the endpoints for directories, which only some runs need. */
async function loadScim(): Promise<void> {
  if ('Users' in scimHandlers) return;
  const [endpoints, { scimEndpoint }, { userOperations }, { groupOperations }] = await Promise.all([
    import('../../contract/scim-endpoints.ts'),
    import('../../http/scim-endpoint.ts'),
    import('../../http/scim-user-operations.ts'),
    import('../../http/scim-group-operations.ts'),
  ]);
  scimHandlers = {
    Users: scimEndpoint(endpoints.scimUsersEndpoint, userOperations) as HttpHandler,
    Groups: scimEndpoint(endpoints.scimGroupsEndpoint, groupOperations) as HttpHandler,
  };
}

/** Runs the endpoint of a request of a directory, as Lambda does. */
async function receiveScim(request: ReceivedScim): Promise<ScimAnswer> {
  const { method, path, query, body, ifMatch, token, requestId, milliseconds } = request;
  const [, type = '', id] = path.split('/');
  const handle = scimHandlers[type];
  if (handle === undefined) throw new Error(`No endpoint for ${path} is loaded`);
  const event = {
    rawPath: `/scim/v2${path}`,
    rawQueryString: query,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/scim+json',
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    requestContext: { requestId, domainName: 'api.example.com', http: { method, sourceIp } },
    ...(id !== undefined && { pathParameters: { id } }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const timeoutAt = Date.now() + milliseconds + answeredBeforeMilliseconds;
  const context = { invokedFunctionArn: type, getRemainingTimeInMillis: () => timeoutAt - Date.now() };
  const work = () => handle(event as never, context as never);
  const answer = await serve({ requestId, endsAt: Date.now() + milliseconds - answeredBeforeMilliseconds }, work);
  return { status: answer.statusCode ?? 0, body: answer.body === undefined ? {} : JSON.parse(answer.body) };
}

/** How long before Lambda's timeout an endpoint answers, and how long before that it sends its last request. */
const answeredBeforeMilliseconds = 500;

/** The code of directories that processes run. */
export const code: OptionCode = {
  runs: {},
  actions: {},
  functions: {},
  receivers: { scim: receiveScim },
  loads: { scim: loadScim },
};
