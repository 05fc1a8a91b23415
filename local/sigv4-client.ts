import { hash } from 'node:crypto';
import { Sha256Node } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AccessKey, localAccess } from './local-credentials.ts';

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

/** The scope of a signature: function URLs belong to the service `lambda`. */
export const signingScope = { region: localAccess.region, service: 'lambda' } as const;

/** A request to sign; all its headers are signed. */
export interface RequestToSign {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Adds the headers of AWS Signature Version 4. The hash of the body is always signed, but sent only if the headers
 * contain `x-amz-content-sha256`.
 */
export async function signSigV4(
  { method, path, query, headers, body }: RequestToSign,
  credentials: AccessKey,
  signingDate: Date,
): Promise<Record<string, string>> {
  const signer = new SignatureV4({ ...signingScope, credentials, sha256: Sha256Node, applyChecksum: false });
  const request = {
    method,
    path,
    query: parseQuery(query),
    headers: { ...headers },
    body,
    protocol: 'http:',
    hostname: '',
  };
  const signableHeaders = new Set(Object.keys(headers));
  return (await signer.sign(request, { signingDate, signableHeaders })).headers;
}

/** A plus sign means a space: the AWS SDK for Go signs it so, and servers read it so. */
function parseQuery(query: string): Record<string, string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
}
