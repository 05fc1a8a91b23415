import { hash } from 'node:crypto';
import type { AccessKey } from './access-key.ts';
import { signSigV4 } from './sigv4.ts';

/** An answer of the Management API. */
export interface ManageAnswer {
  readonly status: number;
  /** Of JSON, or undefined if there is none. */
  readonly body: unknown;
}

/** Asks the Management API behind a function URL; the path begins after `/api/manage`. */
export type ManageClient = (method: string, path: string, body?: object) => Promise<ManageAnswer>;

/** A client that signs with a key pair, as any tool of AWS would. */
export function createManageClient(manageUrl: string, accessKey: AccessKey): ManageClient {
  return async (method, path, value) => {
    const url = new URL(`${manageUrl}/api/manage${path}`);
    const body = value === undefined ? '' : JSON.stringify(value);
    const headers = await signSigV4(
      {
        method,
        path: url.pathname,
        query: url.search.slice(1),
        headers: {
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
