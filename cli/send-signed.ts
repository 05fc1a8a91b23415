import type { Service } from './find-service.ts';
import { type PlainRequest, queryString } from './manage-request.ts';

/** Longer than a function URL waits for its function. */
const timeoutMilliseconds = 35_000;

/** What came back over the network: an answer, or the reason why there is none. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string; readonly cause: unknown; readonly sent: boolean };

/** Signs a request with Signature Version 4 as of now and sends it, once. */
export async function sendSigned(service: Service, request: PlainRequest): Promise<Reply> {
  const { method, path, query, body } = request;
  const headers = await signedHeaders(service, request);
  try {
    const response = await fetch(`${service.url}${path}${queryString(query)}`, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    return { kind: 'none', ...reasonOf(cause), cause };
  }
}

/** The signer is loaded when it is needed: `--help` goes without. */
async function signedHeaders(
  service: Service,
  { method, path, query, body }: PlainRequest,
): Promise<Record<string, string>> {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/checksum'),
  ]);
  const { protocol, hostname, host } = new URL(service.url);
  const { region, credentials } = service;
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256: Sha256 });
  const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path,
    query: { ...query },
    headers: { host, ...contentType },
    body,
  });
  // fetch writes the host itself.
  const { host: _, ...headers } = signed.headers;
  return headers;
}

/** Before these there was no connection over which a request could have gone. */
const unsentCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** fetch itself only says that it failed; why is in its cause. */
function reasonOf(error: unknown): { readonly reason: string; readonly sent: boolean } {
  if (!(error instanceof Error)) return { reason: String(error), sent: true };
  if (error.name === 'TimeoutError') return { reason: `no answer within ${timeoutMilliseconds / 1000} s`, sent: true };
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined;
  const reason = cause?.message || cause?.code || error.message;
  return { reason, sent: !unsentCodes.includes(cause?.code ?? '') };
}
