import { Sha256Node } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AccessKey } from './access-key.ts';
import { localAccess } from './local-access.ts';

/** What a signature must be scoped to: function URLs belong to the service `lambda`. */
export const signingScope = { region: localAccess.region, service: 'lambda' } as const;

/** A request to sign, whose headers are all signed. */
export interface RequestToSign {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * The headers with those of AWS Signature Version 4. The hash of the body is always signed, and also sent if the headers
 * hold `x-amz-content-sha256`.
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
    query: readQuery(query),
    headers: { ...headers },
    body,
    protocol: 'http:',
    hostname: '',
  };
  const signableHeaders = new Set(Object.keys(headers));
  return (await signer.sign(request, { signingDate, signableHeaders })).headers;
}

/** A plus is a space, as the AWS SDK for Go signs it and as servers read it. */
function readQuery(query: string): Record<string, string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
}
