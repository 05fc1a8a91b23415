import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

export interface SignedRequest {
  readonly service: 'lambda' | 'ssm' | 'sts';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The operation of a JSON protocol, `x-amz-target`; without it, a body is a form. */
  readonly target?: string;
}

/**
 * Sends one request to an AWS API with the Region and the credentials of a client, and returns the body; throws unless AWS
 * answers with success. One request does not need the SDK's client of its service.
 */
export async function sendSigned({ config }: CloudFormationClient, request: SignedRequest): Promise<string> {
  const { service, method, path, body, target } = request;
  const region = await config.region();
  const { protocol, hostname, host } = new URL(
    process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ??
      process.env.AWS_ENDPOINT_URL ??
      `https://${service}.${region}.amazonaws.com`,
  );
  const signer = new SignatureV4({ service, region, credentials: config.credentials, sha256: Sha256 });
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const json = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target ?? '' };
  const described = body === undefined ? {} : target === undefined ? form : json;
  const unsigned = {
    method,
    protocol,
    hostname,
    path,
    query: {},
    headers: { host, ...described },
    ...(body && { body }),
  };
  const { host: _, ...headers } = (await signer.sign(unsigned)).headers;
  const response = await fetch(`${protocol}//${host}${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(10_000),
    ...(body && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}
