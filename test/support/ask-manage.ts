import { hash, randomUUID } from 'node:crypto';
import type { AccessKey } from '../../local/local-credentials.ts';
import { signSigV4 } from '../../local/sign-sigv4.ts';

/** A response of the Management API. */
export interface ManageAnswer {
  readonly status: number;
  /** The parsed JSON, or undefined without a body. */
  readonly body: unknown;
}

/** Calls the Management API at its function URL with a path relative to `/api/manage`. */
export type ManageClient = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ManageAnswer>;

/** Creates a client that signs each request with AWS Signature Version 4. */
export function createManageClient(manageUrl: string, accessKey: AccessKey): ManageClient {
  return async (method, path, value, more = {}) => {
    const url = new URL(`${manageUrl}/api/manage${path}`);
    const body = value === undefined ? '' : JSON.stringify(value);
    const headers = await signSigV4(
      {
        method,
        path: url.pathname,
        query: url.search.slice(1),
        headers: {
          ...more,
          host: url.host,
          'content-type': 'application/json',
          'x-amz-content-sha256': hash('sha256', body),
        },
        body,
      },
      accessKey,
      new Date(),
    );
    const answer = await fetch(url, { method, headers, ...(body !== '' && { body }) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

/** Repeats a request that the service could not answer in time, as on a busy machine, so that it takes effect once. */
export function repeatUnavailable(ask: ManageClient): ManageClient {
  return async (method, path, body) => {
    const headers = method === 'GET' ? {} : { 'idempotency-key': `"${randomUUID()}"` };
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(method, path, body, headers);
      if (answer.status !== 503 || attempt === 10) return answer;
    }
  };
}
