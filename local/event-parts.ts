import { randomBytes } from 'node:crypto';
import { isConnectionHeader, isDeliveredAsText } from '#shared/signature/delivery.ts';

/** A request as received. */
export interface WireRequest {
  readonly method: string;
  /** As sent: the path up to the first question mark, and the query after it. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names, each with all its values. */
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: Buffer;
  readonly protocol: string;
  readonly sourceIp: string;
  /** The host and port that served it. */
  readonly authority: string;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/** Builds the query, cookies and body, which HTTP APIs and function URLs share (payload format 2.0). */
export function describePayload(request: WireRequest) {
  const { headers, query } = request;
  const cookies = headers.cookie?.flatMap((line) => line.split(/;\s*/)).filter((cookie) => cookie !== '');
  return {
    rawQueryString: query,
    ...(cookies && { cookies }),
    ...(query !== '' && { queryStringParameters: joinParameters(query) }),
    ...encodeBody(request),
  };
}

/** Builds the event's headers: repeated ones joined by a comma, without `withheld` and connection headers. */
export function joinHeaders(request: WireRequest, withheld: string): Record<string, string> {
  const { headers, body, sourceIp, authority } = request;
  const passedOn = Object.entries(headers).filter(([name]) => name !== withheld && !isConnectionHeader(name));
  return {
    ...Object.fromEntries(passedOn.map(([name, values = []]) => [name, values.join(',')])),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
    'x-amzn-trace-id': `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': [...(headers['x-forwarded-for'] ?? []), sourceIp].join(', '),
    'x-forwarded-port': /:(\d+)$/.exec(authority)?.[1] ?? '80',
    'x-forwarded-proto': 'http',
  };
}

/** Builds the part of the request context that describes the request. */
export function describeRequest(request: WireRequest, path: string) {
  const { method, protocol, sourceIp, authority, requestId, receivedAt } = request;
  const [userAgent = ''] = request.headers['user-agent'] ?? [];
  const [domainPrefix = ''] = authority.split(/[.:]/, 1);
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName: authority,
    domainPrefix,
    http: { method, path, protocol, sourceIp, userAgent },
    requestId,
    stage: '$default',
    time: formatTime(receivedAt),
    timeEpoch: receivedAt.getTime(),
  };
}

function joinParameters(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]));
}

/** Passes a body of these types as text and any other in base64; without a body, `body` is omitted. */
function encodeBody({ headers, body }: WireRequest): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = isDeliveredAsText(headers['content-type']?.[0]);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** `10/Jul/2026:19:19:05 +0000` */
function formatTime(time: Date): string {
  return time.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
}
