import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AwsEndpoint, awsEndpoint } from './config.ts';

/** A request to an AWS API whose SDK client would be larger than the function that makes it. */
export interface AwsCall {
  readonly service: 'lambda' | 'codedeploy';
  /** Percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const timeoutMilliseconds = 15_000;

/** Signs a POST with the function's credentials and sends it once; throws unless it succeeds. */
export async function callAws({ service, path, headers, body }: AwsCall): Promise<Response> {
  const { origin, region }: AwsEndpoint = awsEndpoint(service);
  const { protocol, hostname, host } = new URL(origin);
  const signer = new SignatureV4({ service, region, credentials: fromEnv(), sha256: Sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    path,
    query: {},
    headers: { host, ...headers },
    body,
  });
  const { host: _, ...sent } = signed.headers;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers: sent, body, signal });
  if (response.ok) return response;
  throw new Error(`${service} answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
}

/** Invokes a function or one of its versions by ARN and returns its response; throws if it fails. */
export async function invokeFunction<Answer>(arn: string, payload: object): Promise<Answer> {
  const response = await callAws({
    service: 'lambda',
    path: `/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  // The payload describes the function's error, which that function has logged.
  if (response.headers.has('x-amz-function-error')) throw new Error(`${arn} has failed`);
  return (await response.json()) as Answer;
}
