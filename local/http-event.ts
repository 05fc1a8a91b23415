import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteMatch } from './match-route.ts';

/** A request as it arrived. */
export interface WireRequest {
  readonly method: string;
  /** As sent, up to the first question mark, and what follows it. */
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

/** What concerns one connection and not the request; and cookies, which the event has apart. */
const notPassedOn = new Set(['connection', 'cookie', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/**
 * The event of an HTTP API in payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP
 * APIs"), in the details that the guide leaves open as captured on AWS (hotsock/voker, `apigwv2-request.json`).
 */
export function createHttpEvent(request: WireRequest, rawPath: string, match: RouteMatch): APIGatewayProxyEventV2 {
  const { routeKey } = match.route;
  const cookies = request.headers.cookie?.flatMap((line) => line.split(/;\s*/)).filter((cookie) => cookie !== '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: request.query,
    ...(cookies && { cookies }),
    headers: joinHeaders(request),
    ...(request.query !== '' && { queryStringParameters: joinParameters(request.query) }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: { ...match.pathParameters } }),
    requestContext: createRequestContext(request, rawPath, routeKey),
    ...encodeBody(request),
  };
}

/**
 * A path as an HTTP API hands it on: decoded, cut at a question mark that comes to light, and decoded once more, so that
 * `%2525` arrives as `%` (captured on AWS, hotsock/voker, `ingress-paths.json`). Undefined for what the gateway refuses.
 */
export function decodePath(path: string): string | undefined {
  try {
    const [decoded = ''] = decodeURIComponent(path).split('?', 1);
    return decodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}

/** Repeated headers are joined with a comma and no space. */
function joinHeaders({ headers, body, sourceIp, authority }: WireRequest): Record<string, string> {
  const passedOn = Object.entries(headers).filter(([name]) => !notPassedOn.has(name));
  return {
    ...Object.fromEntries(passedOn.map(([name, values = []]) => [name, values.join(',')])),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
    'x-amzn-trace-id': `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': [...(headers['x-forwarded-for'] ?? []), sourceIp].join(', '),
    'x-forwarded-port': /:(\d+)$/.exec(authority)?.[1] ?? '80',
    'x-forwarded-proto': 'http',
  };
}

function joinParameters(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]));
}

/** Text of these types arrives as text, everything else in base64; without a body there is no member `body`. */
function encodeBody({ headers, body }: WireRequest): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const [contentType = ''] = headers['content-type'] ?? [];
  const isText = /^\s*(text\/[^;]+|application\/(json|xml|javascript))\s*(;|$)/i.test(contentType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

function createRequestContext(request: WireRequest, rawPath: string, routeKey: string) {
  const [userAgent = ''] = request.headers['user-agent'] ?? [];
  const [domainPrefix = ''] = request.authority.split(/[.:]/, 1);
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName: request.authority,
    domainPrefix,
    http: { method: request.method, path: rawPath, protocol: request.protocol, sourceIp: request.sourceIp, userAgent },
    requestId: request.requestId,
    routeKey,
    stage: '$default',
    time: formatTime(request.receivedAt),
    timeEpoch: request.receivedAt.getTime(),
  };
}

/** `10/Jul/2026:19:19:05 +0000` */
function formatTime(moment: Date): string {
  return moment.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
}
