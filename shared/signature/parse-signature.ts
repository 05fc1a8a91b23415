import { rejectComponent } from './reject-component.ts';
import { malformed } from './signature-error.ts';
import { integerPattern, keyPattern, stringPattern, TextCursor } from './text-cursor.ts';

const maxInputBytes = 2048;
const signaturePattern = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]{43}=):$/;
const parameterPatterns: ReadonlyMap<string, RegExp> = new Map([
  ['created', integerPattern],
  ['expires', integerPattern],
  ['nonce', stringPattern],
  ['keyid', stringPattern],
  ['alg', stringPattern],
  ['tag', stringPattern],
]);

/** Parses `Signature-Input` and `Signature` (RFC 9421 section 4) in linear time, or throws `signature_malformed`. */
export function parseSignature(signatureInput: string, signature: string): ParsedSignature {
  if (signatureInput.length > maxInputBytes) throw malformed(`Signature-Input: longer than ${maxInputBytes} bytes`);
  const cursor = new TextCursor('Signature-Input', signatureInput);
  const label = cursor.take(keyPattern, 'a label');
  cursor.expect('=');
  const signatureParams = signatureInput.slice(cursor.at);
  const components = takeComponents(cursor);
  const parameters = takeParameters(cursor);
  rejectRemainder(cursor);
  return { label, components, signatureParams, ...readParameters(parameters), mac: readMac(signature, label) };
}

/** What a request's one signature says of itself, believed only once its MAC is verified (RFC 9421 section 2.3). */
export interface ParsedSignature {
  readonly label: string;
  readonly components: readonly string[];
  /** The value of `@signature-params`: the received text, since only canonical text is accepted. */
  readonly signatureParams: string;
  readonly keyId: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Seconds since 1970. */
  readonly expires: number | undefined;
  /** The 32 bytes to compare. */
  readonly mac: Uint8Array;
}

function takeComponents(cursor: TextCursor): string[] {
  const names = new Set<string>();
  cursor.expect('(');
  while (!cursor.skip(')')) {
    if (names.size > 0) cursor.expect(' ');
    const name = cursor.take(stringPattern, 'a component name in quotes').slice(1, -1);
    rejectComponent(name);
    if (names.has(name)) throw malformed(`Signature-Input: component "${name}" is covered twice`);
    if (cursor.sees(';')) throw malformed(`Signature-Input: component "${name}" has a parameter; none is supported`);
    names.add(name);
  }
  return [...names];
}

function takeParameters(cursor: TextCursor): Map<string, string> {
  const parameters = new Map<string, string>();
  while (cursor.skip(';')) {
    const name = cursor.take(keyPattern, 'a parameter name');
    const pattern = parameterPatterns.get(name);
    if (pattern === undefined) throw malformed(`Signature-Input: parameter "${name}" is unknown`);
    if (parameters.has(name)) throw malformed(`Signature-Input: parameter "${name}" is given twice`);
    cursor.expect('=');
    parameters.set(name, cursor.take(pattern, expectedValue(name, pattern)));
  }
  return parameters;
}

function expectedValue(name: string, pattern: RegExp): string {
  const kind = pattern === integerPattern ? 'an integer of at most 15 digits' : 'a string in quotes';
  return `${kind} as the value of "${name}"`;
}

function rejectRemainder(cursor: TextCursor): void {
  if (cursor.ended) return;
  if (cursor.sees(',')) throw malformed('Signature-Input: exactly one signature is allowed');
  throw cursor.unexpected('";" or the end');
}

function readParameters(parameters: ReadonlyMap<string, string>) {
  rejectAlgorithm(parameters.get('alg'));
  const expires = parameters.get('expires');
  return {
    created: Number(requireParameter(parameters, 'created')),
    expires: expires === undefined ? undefined : Number(expires),
    nonce: readNonce(requireParameter(parameters, 'nonce')),
    keyId: unquote(requireParameter(parameters, 'keyid')),
  };
}

function requireParameter(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw malformed(`Signature-Input: parameter "${name}" is missing`);
  return value;
}

function rejectAlgorithm(alg: string | undefined): void {
  if (alg === undefined || alg === '"hmac-sha256"') return;
  throw malformed('Signature-Input: parameter "alg" must be "hmac-sha256" if present');
}

function readNonce(text: string): string {
  const nonce = unquote(text);
  if (nonce.length >= 16 && nonce.length <= 64) return nonce;
  throw malformed(`Signature-Input: parameter "nonce" must have 16 to 64 characters, not ${nonce.length}`);
}

function unquote(text: string): string {
  const inner = text.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\(.)/g, '$1') : inner;
}

function readMac(signature: string, label: string): Uint8Array {
  const match = signaturePattern.exec(signature);
  if (match === null) throw malformed('Signature: expected one label=:base64: with the 44 characters of 32 bytes');
  const [, signatureLabel, base64 = ''] = match;
  if (signatureLabel !== label) throw malformed(`Signature: its label is not "${label}", the one in Signature-Input`);
  const mac = Buffer.from(base64, 'base64');
  if (mac.toString('base64') !== base64) throw malformed('Signature: the base64 is not canonical');
  return mac;
}
