import type { Scope } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { ApiKey } from '../../client/client-key.ts';
import { signRequest } from '../../client/sign-request.ts';

/** An unsigned request to the Service API. */
export interface SampleRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

export interface Sample {
  readonly value: string;
  readonly label: string;
  readonly scope: Scope;
  readonly route: keyof typeof serviceOperations;
  readonly body: string;
}

/** One sample request for each scope. */
export const samples = [
  sample('get-access', "Read a user's access", ''),
  sample('set-access', "Block a user's access", '{"status":"disabled","reason":"test request"}'),
  sample('assign-role', 'Assign the role editor', '{"role":"editor"}'),
] as const;

function sample(route: Sample['route'], label: string, body: string): Sample {
  const { method, scope } = serviceOperations[route];
  return { value: route, label: `${label} (${method})`, scope, route, body };
}

export function toRequest({ route, body }: Sample, serviceUrl: string, userId: string): SampleRequest {
  const { method, path } = serviceOperations[route];
  const url = new URL(serviceUrl.replace(/\/$/, '') + path.replace('{userId}', encodeURIComponent(userId)));
  return { method, url, body };
}

/** Signs a request with the SDK, and returns the headers to send. */
export async function signSample({ method, url, body }: SampleRequest, key: ApiKey): Promise<Record<string, string>> {
  const content = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } };
  const { headers } = await signRequest(new Request(url, { method, ...content }), key);
  return Object.fromEntries(headers);
}

/** The request as a curl command for a POSIX shell. */
export function toCurl({ method, url, body }: SampleRequest, headers: Readonly<Record<string, string>>): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const content = body === '' ? [] : [`-d ${quote(body)}`];
  return [`curl -sS -X ${method}`, ...options, ...content, quote(url.href)].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
