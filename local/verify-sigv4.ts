import { hash, timingSafeEqual } from 'node:crypto';
import type { WireRequest } from './event-parts.ts';
import type { AccessKey } from './local-credentials.ts';
import { signingScope, signSigV4 } from './sign-sigv4.ts';

const maxSkewMs = 5 * 60 * 1000;

/** An error of a function URL: AWS's type, sent as `x-amzn-errortype`, and the body. */
export interface SigV4Error {
  readonly type: string;
  readonly body: { readonly Message: string } | { readonly message: string };
}

/**
 * Checks AWS Signature Version 4 as a function URL of auth type AWS_IAM does (IAM user guide, "Create a signed AWS API
 * request"), in AWS's order: the key, an age of at most five minutes, and the coverage of `host`, every `x-amz-*`
 * header and the body. Returns undefined if it is valid. Unlike AWS, rejects a signature in the query.
 */
export async function verifySigV4(
  request: WireRequest,
  { accessKey, now }: { readonly accessKey: AccessKey; readonly now: Date },
): Promise<SigV4Error | undefined> {
  const signature = parseAuthorization(request);
  if (signature === undefined) return { type: 'AccessDeniedException', body: { Message: 'Forbidden' } };
  const { keyId, scope, signedHeaders, hex, date } = signature;
  const signedAt = parseDate(date);
  const isComplete = scope.length === 4 && signedHeaders[0] !== '' && /^[0-9a-f]{64}$/.test(hex);
  if (!isComplete) return error('IncompleteSignatureException', 'Authorization header is incomplete');
  if (signedAt === undefined) return error('IncompleteSignatureException', 'x-amz-date is not a date');
  const ageMs = now.getTime() - signedAt.getTime();
  if (ageMs > maxSkewMs) return invalid('Signature expired');
  if (ageMs < -maxSkewMs) return invalid('Signature not yet current');
  const required = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (!required.every((name) => signedHeaders.includes(name))) return invalid('host and x-amz-* must be signed');
  const expectedScope = `${date.slice(0, 8)}/${signingScope.region}/${signingScope.service}/aws4_request`;
  if (scope.join('/') !== expectedScope) return invalid(`Credential must be scoped to ${expectedScope}`);
  // The local key pair is not temporary, so it has no session token.
  if (keyId !== accessKey.accessKeyId || request.headers['x-amz-security-token'] !== undefined) {
    return error('UnrecognizedClientException', 'The security token is invalid');
  }
  return (await isMatch(signature, request, accessKey)) ? undefined : invalid('The signature does not match');
}

/** The parameters of an `authorization` header of the scheme AWS4-HMAC-SHA256, and the date. */
interface Signature {
  readonly keyId: string;
  /** `20261120/local/lambda/aws4_request`, split at the slashes. */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly hex: string;
  /** `20261120T191411Z`, as in `x-amz-date`. */
  readonly date: string;
}

function parseAuthorization({ headers }: WireRequest): Signature | undefined {
  const [, list] = /^AWS4-HMAC-SHA256\s+(.+)$/.exec(headers.authorization?.join(',') ?? '') ?? [];
  const pairs = list?.split(',').map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string]) ?? [];
  const parameters = new Map(pairs);
  // More than three means a second header.
  if (pairs.length === 0 || pairs.length > 3) return undefined;
  const [keyId = '', ...scope] = (parameters.get('Credential') ?? '').split('/');
  return {
    keyId,
    scope,
    signedHeaders: (parameters.get('SignedHeaders') ?? '').split(';'),
    hex: parameters.get('Signature') ?? '',
    date: headers['x-amz-date']?.join(',') ?? '',
  };
}

async function isMatch(signature: Signature, request: WireRequest, accessKey: AccessKey): Promise<boolean> {
  if (hasUnsignedParameter(request.query)) return false;
  const bodyHash = request.headers['x-amz-content-sha256']?.join(',');
  if (bodyHash !== undefined && bodyHash !== hash('sha256', request.body)) return false;
  const expected = await computeSignature(signature, request, accessKey);
  return timingSafeEqual(Buffer.from(signature.hex), Buffer.from(expected));
}

/** The signing library omits these parameters, so an added one would go unnoticed. */
function hasUnsignedParameter(query: string): boolean {
  return [...new URLSearchParams(query).keys()].some((name) => /^(?:__proto__|x-amz-signature)$/i.test(name));
}

/** Omits a signed header that the request lacks, so that the signature differs. */
async function computeSignature(
  { signedHeaders, date }: Signature,
  { method, path, query, headers, body }: WireRequest,
  accessKey: AccessKey,
): Promise<string> {
  const present = signedHeaders.filter((name) => headers[name] !== undefined);
  const signed = Object.fromEntries(present.map((name) => [name, (headers[name] ?? []).join(',')]));
  const signedAt = parseDate(date) ?? new Date(0);
  const { authorization = '' } = await signSigV4({ method, path, query, headers: signed, body }, accessKey, signedAt);
  return /Signature=(.+)$/.exec(authorization)?.[1] ?? '';
}

function parseDate(text: string): Date | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const date = new Date(text.replace(/(.{4})(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function invalid(message: string): SigV4Error {
  return error('InvalidSignatureException', message);
}

function error(type: string, message: string): SigV4Error {
  return { type, body: { message } };
}
