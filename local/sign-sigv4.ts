import { Sha256Node } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AccessKey, localAccess } from './local-credentials.ts';

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
