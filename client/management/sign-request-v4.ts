import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialProvider } from './credential-provider.ts';
import type { UnsignedRequest } from './management-request.ts';

/** The headers of a request to a function URL, signed with the current time. */
export async function signRequestV4(
  origin: string,
  { method, path, query, headers, body }: UnsignedRequest,
  { region, provide }: { readonly region: string; readonly provide: AwsCredentialProvider },
): Promise<Record<string, string>> {
  const { protocol, hostname, host } = new URL(origin);
  const credentials = async () => {
    const { sessionToken, ...keys } = await provide();
    return { ...keys, ...(sessionToken !== undefined && { sessionToken }) };
  };
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256: Sha256 });
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path,
    query: { ...query },
    headers: { host, ...headers },
    body,
  });
  // fetch sets the host header itself.
  const { host: _, ...sent } = signed.headers;
  return sent;
}
