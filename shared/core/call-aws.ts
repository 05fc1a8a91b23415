import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { urlToHttpOptions } from 'node:url';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AwsEndpoint, awsEndpoint } from './config.ts';

/** A request to an AWS API whose SDK client would be larger than the function that makes it. */
export interface AwsCall {
  readonly service: 'lambda' | 'codedeploy' | 's3' | 'secretsmanager' | 'ssm' | 'cognito-idp';
  /** Default: that of the service. */
  readonly endpoint?: AwsEndpoint;
  /** Default: POST. */
  readonly method?: string;
  /** Percent-encoded. For S3 only unreserved characters: it does not encode the path again before it signs it. */
  readonly path: string;
  /** Default: none. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Default: 15 seconds. */
  readonly timeoutMilliseconds?: number;
}

/** An answer other than success. */
export class AwsCallError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(service: string, status: number, body: string) {
    super(`${service} answered ${status}: ${body.slice(0, 200)}`);
    this.status = status;
    this.body = body;
  }
}

/** An answer with success. */
export interface AwsAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Signs a request with the function's credentials and sends it once; throws unless it succeeds. */
export async function callAws({ service, method = 'POST', path, headers, body, ...call }: AwsCall): Promise<AwsAnswer> {
  const { origin, region } = call.endpoint ?? awsEndpoint(service);
  const { query = {}, timeoutMilliseconds = 15_000 } = call;
  const url = new URL(`${origin}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { protocol, hostname, host, pathname } = url;
  const signer = new SignatureV4({ service, region, credentials: fromEnv(), sha256: Sha256 });
  const given = { method, protocol, hostname, path: pathname, query, headers: { host, ...headers }, body };
  const signed = await signer.sign(given);
  const { status, ...answer } = await send(url, { method, headers: signed.headers, body, timeoutMilliseconds });
  if (status >= 200 && status < 300) return answer;
  throw new AwsCallError(service, status, answer.body);
}

interface SignedCall extends Required<Pick<AwsCall, 'body' | 'method' | 'timeoutMilliseconds'>> {
  readonly headers: Record<string, string>;
}

/** By the same client, and in the same way, as the SDK, so that the local run decides these requests too. */
async function send(
  url: URL,
  { body, timeoutMilliseconds, ...options }: SignedCall,
): Promise<AwsAnswer & { readonly status: number }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const content = Buffer.from(body);
    const headers = { ...options.headers, 'content-length': content.length };
    request({ ...urlToHttpOptions(url), ...options, headers, signal }, resolve)
      .on('error', reject)
      .end(content);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** Invokes a function or one of its versions by ARN and returns its response; throws if it fails. */
export async function invokeFunction<Answer>(arn: string, payload: object): Promise<Answer> {
  const { headers, body } = await callLambda(arn, payload);
  // The payload describes the function's error, which that function has logged.
  if (headers['x-amz-function-error'] !== undefined) throw new Error(`${arn} has failed`);
  return JSON.parse(body) as Answer;
}

/** Hands a function an event without waiting for it; Lambda invokes it again if it fails. */
export async function sendToFunction(arn: string, payload: object): Promise<void> {
  await callLambda(arn, payload, { 'x-amz-invocation-type': 'Event' });
}

function callLambda(arn: string, payload: object, headers = {}): Promise<AwsAnswer> {
  return callAws({
    service: 'lambda',
    path: `/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(payload),
  });
}
