import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import type { ErrorCode } from '#shared/contract/error-codes.ts';
import { contentRefusal, encodingRefusal, userIdSchema, webhookIdSchema } from '#shared/contract/fields.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { countOf } from '#shared/contract/wording.ts';
import { headerValue } from '#shared/signature/base.ts';
import { verifyContentDigest } from '#shared/signature/digest.ts';
import { SignatureError } from '#shared/signature/error.ts';
import { createMacKey } from '#shared/signature/mac.ts';
import { requireCoveredBody, requireCurrentTime, requireValidMac } from '#shared/signature/verify.ts';
import { type MistakeId, mistakes } from './mistakes.ts';
import type { HttpRequest } from './read-http-request.ts';
import type { DoctorKey } from './read-key.ts';
import type { Reading } from './read-leniently.ts';
import type { Received } from './receive-request.ts';

/** A code of the service, or `bad_request` for the 400 of API Gateway, which has no code. */
export type RefusalCode = ErrorCode | 'bad_request';

/** The result of one check. */
export interface Check {
  readonly name: 'endpoint' | 'headers' | 'signature' | 'clock' | 'digest' | 'nonce' | 'path' | 'body';
  readonly found: string;
  /** The error code that the service would answer; undefined if the check passes. */
  readonly code?: RefusalCode;
  /** How to fix it. */
  readonly fix?: string | undefined;
}

/** The request to check, and the key and clock to check it with. */
export interface Examined {
  readonly received: Received;
  readonly reading: Reading;
  readonly key: DoctorKey;
  readonly at: Date;
  readonly mistakes: readonly MistakeId[];
}

/** Runs every check that is possible offline, in the order of the service and with its code. */
export function runChecks(examined: Examined): Check[] {
  return [endpoint, headers, signature, clock, digest, nonce, body, path].flatMap((check) => check(examined) ?? []);
}

function endpoint({ received: { request, route, isDelivered } }: Examined): Check {
  const name = 'endpoint';
  if (route !== undefined) return { name, found: route.name };
  const { method, path } = request;
  if (!isDelivered) return { name, found: `API Gateway refuses the path ${path}`, code: 'bad_request', fix: pathFix };
  return { name, found: `no endpoint ${method} ${path}`, code: 'route_not_found', fix: endpointFix(request) };
}

const pathFix = 'remove %25 and invalid UTF-8 escapes: an id with a percent sign cannot be sent';

/** API Gateway decodes a slash or a question mark in an id before it finds the route. */
function endpointFix({ method, path }: HttpRequest): string {
  if (method !== method.toUpperCase()) return 'send the method in upper case';
  if (/%(?:25)*(?:2f|3f)/i.test(path)) return 'an id with a slash or a question mark cannot be sent, not even encoded';
  const known = Object.values(serviceOperations).map((one) => `${one.method} ${one.path}`);
  return `call one of ${known.join(', ')}`;
}

function headers({ received, reading: { refusal, parsed, mistake } }: Examined): Check {
  const name = 'headers';
  if (refusal === undefined) return { name, found: `signature ${parsed?.label} of key ${parsed?.keyId}` };
  const { code, detail } = refusal;
  const found = mistake === undefined ? detail : `${detail}: ${mistakes[mistake][0]}`;
  return { name, found, code, fix: mistake === undefined ? headerFix(code, received) : mistakes[mistake][1] };
}

/** A covered header that was sent may be one that never arrives. */
function headerFix(code: ErrorCode, { request, message }: Received): string | undefined {
  const covered = request.headers['signature-input'] ?? '';
  const lost = Object.keys(request.headers).filter(
    (name) => !(name in message.headers) && covered.includes(`"${name}"`),
  );
  if (code !== 'component_missing' || lost.length === 0) return headerFixes[code];
  return `do not cover ${lost.join(', ')}: API Gateway removes it before the service sees the request`;
}

const headerFixes: Partial<Record<ErrorCode, string>> = {
  signature_missing: 'send both Signature-Input and Signature, also with a GET',
  signature_malformed:
    'write the headers as docs/integrate/signing.md shows them: one space between components, none elsewhere',
  component_missing: 'list it in Signature-Input, give it a line in the base, and send it',
};

function signature({ received, reading: { parsed }, key, mistakes: made }: Examined): Check | undefined {
  if (parsed === undefined) return undefined;
  const name = 'signature';
  const isNamed = key.keyId === undefined || key.keyId === parsed.keyId;
  const macKey = isNamed ? createMacKey(key.secret) : undefined;
  const refusal = refusalOf(() => requireValidMac(received.message, parsed, macKey));
  if (refusal === undefined) return { name, found: 'the MAC matches the signature base' };
  const { code } = refusal;
  if (!isNamed) {
    const found = `the request names the key ${parsed.keyId}, but the secret belongs to ${key.keyId}`;
    return { name, found, code, fix: 'sign with the secret of the key in "keyid"' };
  }
  if (made.length === 0) return { name, found: 'MAC mismatch, not a common mistake', code, fix: unexplained };
  const explained = made.map((id) => mistakes[id]);
  const [found, fix] = [0, 1].map((part) => explained.map((mistake) => mistake[part]).join('; and '));
  return { name, found: `MAC mismatch: ${found}`, code, fix };
}

const unexplained =
  'compare your base with the one below; if they are the same, the secret belongs to another key. Otherwise the request was changed after signing: --response shows where';

function clock({ reading: { parsed }, at }: Examined): Check | undefined {
  if (parsed === undefined) return undefined;
  const { created } = parsed;
  const refusal = refusalOf(() => requireCurrentTime(parsed, at.getTime() / 1000));
  const difference = Math.round(at.getTime() / 1000 - created);
  const found = `"created" is ${Math.abs(difference)} s ${difference < 0 ? 'after' : 'before'} ${at.toISOString()}`;
  if (refusal === undefined) return { name: 'clock', found };
  const { code, detail } = refusal;
  return { name: 'clock', found: `${detail}; ${found}`, code, fix: clockFix(created) };
}

function clockFix(created: number): string {
  if (created > 1e11) return `"created" is in milliseconds: use seconds, ${Math.floor(created / 1000)}`;
  return 'sign right before sending, with a correct clock; pass the time of sending as --at';
}

function digest({ received: { message, request }, reading: { parsed } }: Examined): Check | undefined {
  const name = 'digest';
  const { byteLength } = message.body;
  const header = headerValue(message.headers, 'content-digest');
  if (header === undefined) {
    if (byteLength === 0) return { name, found: 'no body, so none is needed' };
    const fix = 'send Content-Digest: sha-256=:base64 of the SHA-256 of the body:, and cover it with the signature';
    return { name, found: `missing for a body of ${countOf(byteLength, 'byte')}`, code: 'component_missing', fix };
  }
  const covered = parsed?.components ?? ['content-digest'];
  const refusal = refusalOf(() => requireCoveredBody(message, covered));
  if (refusal === undefined) return { name, found: `matches the body of ${countOf(byteLength, 'byte')}` };
  const encoded = refusal.code === 'digest_mismatch' ? encodingRefusal(message.headers) : undefined;
  if (encoded !== undefined) return { name, found: 'the body is encoded', code: encoded.code, fix: encoded.detail };
  const isDamaged = !isUtf8(request.body) && isUtf8(message.body);
  const found = isDamaged ? `${refusal.detail}: the body is not UTF-8` : refusal.detail;
  return { name, found, code: refusal.code, fix: isDamaged ? utf8Fix : digestFix(header, message.body) };
}

const utf8Fix = 'send UTF-8: API Gateway replaces other bytes, so the digest cannot match';

/** Editors append a line break and tools convert line breaks, so the bytes may differ from the signed ones. */
function digestFix(header: string, body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  const others = [
    ['the body without the line break at its end', text.replace(/\r?\n$/, '')],
    ['the body with a line break at its end', `${text}\n`],
    ['the body with CRLF line breaks', text.replace(/\r?\n/g, '\r\n')],
    ['the body with LF line breaks', text.replaceAll('\r\n', '\n')],
    ['an empty body', ''],
  ] as const;
  const fits = (other: string) => refusalOf(() => verifyContentDigest(header, Buffer.from(other, 'latin1')));
  const [meant] = others.find(([, other]) => fits(other) === undefined) ?? [];
  if (meant !== undefined) return `it matches ${meant}: send the bytes that were digested`;
  return 'serialise the body once, then digest and send exactly those bytes; put the digest in base64 between colons';
}

function nonce({ received: { route }, reading: { parsed } }: Examined): Check | undefined {
  if (parsed === undefined) return undefined;
  const length = countOf(parsed.nonce.length, 'character');
  if (route === undefined) return { name: 'nonce', found: length };
  const meaning = route.writes
    ? 'identifies the call: retry with the same nonce and a new signature'
    : 'not stored, because the request changes nothing';
  return { name: 'nonce', found: `${length}, ${meaning}` };
}

/** In the order of the service: the headers of the body, its characters, its syntax. */
function body({ received: { message } }: Examined): Check | undefined {
  const name = 'body';
  const bytes = Buffer.from(message.body);
  if (bytes.byteLength === 0) return undefined;
  const refusal = contentRefusal(message.headers);
  if (refusal !== undefined) {
    const { 'content-type': type = 'none', 'content-encoding': encoding = 'none' } = message.headers;
    return {
      name,
      found: `Content-Type ${type}, Content-Encoding ${encoding}`,
      code: refusal.code,
      fix: refusal.detail,
    };
  }
  if (!isUtf8(bytes)) return { name, found: 'not UTF-8', code: 'malformed_json', fix: 'encode the text in UTF-8' };
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { name, found: 'a JSON object' };
    return {
      name,
      found: 'JSON, but not an object',
      code: 'invalid_request',
      fix: 'send an object: {"status":"disabled"}',
    };
  } catch (error) {
    // The rest of the message quotes the body, whatever is in it.
    const found = ['not JSON', ...(/at position \d+/.exec(String(error)) ?? [])].join(' ');
    return { name, found, code: 'malformed_json', fix: 'send the output of a JSON library' };
  }
}

function path({ received: { request, message, pathVariables } }: Examined): Check | undefined {
  const { userId, webhookId } = pathVariables;
  if (webhookId !== undefined) return checkId('webhook id', webhookId, webhookIdSchema);
  if (userId === undefined) return undefined;
  const [canonical = ''] = message.paths;
  const strictly = canonical === request.path ? '' : `; canonical path ${canonical}`;
  return checkId('user id', userId, userIdSchema, strictly);
}

function checkId(what: string, id: string, schema: v.GenericSchema, remark = ''): Check {
  const { success, issues } = v.safeParse(schema, id);
  if (success) return { name: 'path', found: `${what} ${id}${remark}` };
  const fix = id.includes('%')
    ? 'percent-encode the id once, in UTF-8; it seems to be encoded twice or truncated'
    : `it ${issues[0].message}`;
  return { name: 'path', found: `${id} is not a valid ${what}`, code: 'invalid_request', fix };
}

function refusalOf(verify: () => void): SignatureError | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
}
