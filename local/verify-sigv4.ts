import { hash, timingSafeEqual } from 'node:crypto';
import type { AccessKey } from './access-key.ts';
import type { WireRequest } from './event-parts.ts';
import { signingScope, signSigV4 } from './sigv4.ts';

const maxSkewMs = 5 * 60 * 1000;

/** Why AWS lets a request not in: the type in `x-amzn-errortype`, and the body. */
export interface Refusal {
  readonly type: string;
  readonly body: { readonly Message: string } | { readonly message: string };
}

/** Against which key and at which moment a request is judged. */
export interface Judgement {
  readonly accessKey: AccessKey;
  readonly now: Date;
}

/**
 * Judges a request as a function URL of auth type AWS_IAM does: undefined if it is signed by AWS Signature Version 4 in
 * its `authorization` header, with the key, in the last five minutes and over the body that arrived (IAM user guide,
 * "Create a signed AWS API request"). Messages and their order as AWS's services answered (noted down in mhart/dynalite).
 * Signatures in the query are refused, though AWS takes them.
 */
export async function refuseUnsigned(request: WireRequest, judgement: Judgement): Promise<Refusal | undefined> {
  const signature = readSignature(request);
  if (signature === undefined) return forbidden;
  return (
    rejectIncomplete(signature) ??
    rejectOtherTime(signature, judgement.now) ??
    rejectUnsignedHeaders(signature, request) ??
    rejectOtherScope(signature) ??
    rejectOtherKey(signature, judgement.accessKey, request) ??
    (await rejectOtherSignature(signature, request, judgement.accessKey))
  );
}

/** An `authorization` header of the scheme AWS4-HMAC-SHA256, taken apart. */
interface Signature {
  readonly keyId: string;
  /** `20261120/local/lambda/aws4_request` */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly hex: string;
  /** `20261120T191411Z`, as in `x-amz-date`. */
  readonly date: string;
}

function readSignature({ headers }: WireRequest): Signature | undefined {
  const [, list] = /^AWS4-HMAC-SHA256\s+(.+)$/.exec(headers.authorization?.join(',') ?? '') ?? [];
  const pairs = list?.split(',').map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string]) ?? [];
  const parameters = new Map(pairs);
  // None, or those of a second header.
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

function rejectIncomplete({ scope, signedHeaders, hex, date }: Signature): Refusal | undefined {
  if (scope.length !== 4) return incomplete("Authorization header requires 'Credential' parameter.");
  if (signedHeaders[0] === '') return incomplete("Authorization header requires 'SignedHeaders' parameter.");
  if (!/^[0-9a-f]{64}$/.test(hex)) return incomplete("Authorization header requires 'Signature' parameter.");
  if (readDate(date) === undefined) return incomplete(`Date must be in ISO-8601 'basic format'. Got '${date}'.`);
  return undefined;
}

function rejectOtherTime({ date }: Signature, now: Date): Refusal | undefined {
  const signedAt = readDate(date)?.getTime() ?? Number.NaN;
  const [oldest, newest] = [new Date(now.getTime() - maxSkewMs), new Date(now.getTime() + maxSkewMs)];
  const [at, from, to] = [now, oldest, newest].map(formatDate);
  if (signedAt < oldest.getTime())
    return invalid(`Signature expired: ${date} is now earlier than ${from} (${at} - 5 min.)`);
  if (signedAt > newest.getTime()) {
    return invalid(`Signature not yet current: ${date} is still later than ${to} (${at} + 5 min.)`);
  }
  return undefined;
}

/** "You must include the host header, and any x-amz-* headers in the request" (IAM user guide, on signed headers). */
function rejectUnsignedHeaders({ signedHeaders }: Signature, { headers }: WireRequest): Refusal | undefined {
  if (!signedHeaders.includes('host')) {
    return invalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  }
  const unsigned = Object.keys(headers).find((name) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  return unsigned === undefined
    ? undefined
    : invalid(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`);
}

function rejectOtherScope({ scope: [day = '', region, service, terminator], date }: Signature): Refusal | undefined {
  const wrong = [
    region !== signingScope.region && `Credential should be scoped to a valid region, not '${region}'.`,
    service !== signingScope.service && `Credential should be scoped to correct service: '${signingScope.service}'.`,
    terminator !== 'aws4_request' && `Credential should be scoped with a valid terminator: 'aws4_request'.`,
    !date.startsWith(`${day}T`) && `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date.`,
  ].filter((message) => message !== false);
  return wrong.length > 0 ? invalid(wrong.join(' ')) : undefined;
}

/** The pair of this machine is no temporary one, so a session token cannot belong to it. */
function rejectOtherKey(
  { keyId }: Signature,
  { accessKeyId }: AccessKey,
  { headers }: WireRequest,
): Refusal | undefined {
  if (keyId === accessKeyId && headers['x-amz-security-token'] === undefined) return undefined;
  return {
    type: 'UnrecognizedClientException',
    body: { message: 'The security token included in the request is invalid.' },
  };
}

async function rejectOtherSignature(
  signature: Signature,
  request: WireRequest,
  accessKey: AccessKey,
): Promise<Refusal | undefined> {
  if (hasUncoveredParameter(request.query)) return mismatch;
  const named = request.headers['x-amz-content-sha256']?.join(',');
  if (named !== undefined && named !== hash('sha256', request.body)) return mismatch;
  const expected = await recompute(signature, request, accessKey);
  return timingSafeEqual(Buffer.from(signature.hex), Buffer.from(expected)) ? undefined : mismatch;
}

/** The library leaves parameters of these names out of what it signs: nobody would notice one that was added. */
function hasUncoveredParameter(query: string): boolean {
  return [...new URLSearchParams(query).keys()].some((name) => /^(?:__proto__|x-amz-signature)$/i.test(name));
}

/** A signed header that is missing is left out here, and so the signature is another one. */
async function recompute(
  { signedHeaders, date }: Signature,
  { method, path, query, headers, body }: WireRequest,
  accessKey: AccessKey,
): Promise<string> {
  const present = signedHeaders.filter((name) => headers[name] !== undefined);
  const signed = Object.fromEntries(present.map((name) => [name, (headers[name] ?? []).join(',')]));
  const signedAt = readDate(date) ?? new Date(0);
  const { authorization = '' } = await signSigV4({ method, path, query, headers: signed, body }, accessKey, signedAt);
  return /Signature=(.+)$/.exec(authorization)?.[1] ?? '';
}

function readDate(text: string): Date | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const date = new Date(text.replace(/(.{4})(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function formatDate(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

/** What a function URL answers to a request without a signature; AWS has since put a link to its guide behind it. */
const forbidden: Refusal = { type: 'AccessDeniedException', body: { Message: 'Forbidden' } };

const mismatch = invalid(
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
);

function invalid(message: string): Refusal {
  return { type: 'InvalidSignatureException', body: { message } };
}

function incomplete(message: string): Refusal {
  return { type: 'IncompleteSignatureException', body: { message } };
}
