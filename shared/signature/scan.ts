import { type Algorithm, algorithmName, algorithmOf, macBytesOf } from './algorithm.ts';
import { malformed } from './error.ts';

const maxInputBytes = 2048;
const minNonceCharacters = 16;
const maxNonceCharacters = 64;

/** A key in the grammar of RFC 8941 section 3.1.2. */
const keyPattern = /[a-z*][a-z0-9_.*-]*/y;
/** A string as serialized by RFC 8941 section 4.1.6: only the quote and the backslash are escaped. */
const stringPattern = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
/** A non-negative integer of at most 15 digits as serialized by RFC 8941 section 4.1.4. */
const integerPattern = /(?:0|[1-9][0-9]{0,14})(?![0-9])/y;
const signaturePattern = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):$/;
const keyIdPattern = /^svk_[\w-]+$/;
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const derivedComponents: ReadonlySet<string> = new Set(['@method', '@authority', '@path', '@query']);
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
  const scanner = new StructuredFieldScanner('Signature-Input', signatureInput);
  const label = scanner.take(keyPattern, 'a label');
  scanner.expect('=');
  const signatureParams = signatureInput.slice(scanner.at);
  const components = takeComponents(scanner);
  const parameters = readParameters(takeParameters(scanner));
  return { label, components, signatureParams, ...parameters, mac: readMac(signature, label, parameters.algorithm) };
}

/** The content of a request's signature, not to be trusted until its MAC is verified (RFC 9421 section 2.3). */
export interface ParsedSignature {
  readonly label: string;
  readonly components: readonly string[];
  /** The value of `@signature-params`: the received text, since only canonical text is accepted. */
  readonly signatureParams: string;
  /** The algorithm stated by the key id. */
  readonly algorithm: Algorithm;
  readonly keyId: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Seconds since 1970. */
  readonly expires: number | undefined;
  /** The bytes to compare, of the length of the algorithm's MAC. */
  readonly mac: Uint8Array;
}

function takeComponents(scanner: StructuredFieldScanner): string[] {
  const names = new Set<string>();
  scanner.expect('(');
  while (!scanner.skip(')')) {
    if (names.size > 0) scanner.expect(' ');
    const name = scanner.take(stringPattern, 'a component name in quotes').slice(1, -1);
    requireAllowedComponent(name);
    if (names.has(name)) throw malformed(`Signature-Input: component "${name}" is covered twice`);
    if (scanner.sees(';')) throw malformed(`Signature-Input: component "${name}" has a parameter; none is supported`);
    names.add(name);
  }
  return [...names];
}

/** Refuses a covered component that this profile does not support: RFC 9421 section 2.1 for headers, 2.2 for derived ones. */
function requireAllowedComponent(name: string): void {
  if (derivedComponents.has(name)) return;
  if (name.startsWith('@')) throw disallowed(name, 'is not supported; derived are @method, @authority, @path, @query');
  if (!headerNamePattern.test(name)) throw disallowed(name, 'is not the name of a header');
  if (name !== name.toLowerCase()) throw disallowed(name, 'must be in lower case');
  if (name === 'signature' || name === 'signature-input') throw disallowed(name, 'cannot cover the signature itself');
  // A proxy may change these between signer and server, so a signature over them proves nothing.
  if (name === 'forwarded' || name.startsWith('x-forwarded-')) throw disallowed(name, 'belongs to proxies');
}

function disallowed(name: string, why: string): Error {
  return malformed(`Signature-Input: component "${name}" ${why}`);
}

function takeParameters(scanner: StructuredFieldScanner): Map<string, string> {
  const parameters = new Map<string, string>();
  while (scanner.skip(';')) {
    const name = scanner.take(keyPattern, 'a parameter name');
    const pattern = parameterPatterns.get(name);
    if (pattern === undefined) throw malformed(`Signature-Input: parameter "${name}" is unknown`);
    if (parameters.has(name)) throw malformed(`Signature-Input: parameter "${name}" is given twice`);
    scanner.expect('=');
    parameters.set(name, scanner.take(pattern, expectedValue(name, pattern)));
  }
  requireEnd(scanner);
  return parameters;
}

function expectedValue(name: string, pattern: RegExp): string {
  const kind = pattern === integerPattern ? 'an integer of at most 15 digits' : 'a string in quotes';
  return `${kind} as the value of "${name}"`;
}

function requireEnd(scanner: StructuredFieldScanner): void {
  if (scanner.ended) return;
  if (scanner.sees(',')) throw malformed('Signature-Input: exactly one signature is allowed');
  throw scanner.unexpected('";" or the end');
}

function readParameters(parameters: ReadonlyMap<string, string>) {
  const created = Number(requireParameter(parameters, 'created'));
  const expires = readExpires(parameters.get('expires'), created);
  const nonce = requireNonce(requireParameter(parameters, 'nonce'));
  const keyId = requireKeyId(requireParameter(parameters, 'keyid'));
  const algorithm = algorithmOf(keyId);
  requireSameAlgorithm(parameters.get('alg'), algorithm);
  return { algorithm, created, expires, nonce, keyId };
}

function readExpires(text: string | undefined, created: number): number | undefined {
  if (text === undefined) return undefined;
  if (Number(text) >= created) return Number(text);
  throw malformed('Signature-Input: parameter "expires" is before "created"');
}

/** Refuses a request whose `alg` differs from its key's algorithm (RFC 9421 section 3.2, step 6). */
function requireSameAlgorithm(alg: string | undefined, algorithm: Algorithm): void {
  const name = algorithmName(algorithm);
  if (alg === undefined || unquote(alg) === name) return;
  throw malformed(`Signature-Input: parameter "alg" must be "${name}" if present`);
}

function requireParameter(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw malformed(`Signature-Input: parameter "${name}" is missing`);
  return value;
}

/** A short nonce may have too little entropy to be unique; a long one takes space in the table. */
function requireNonce(text: string): string {
  const nonce = unquote(text);
  if (nonce.length >= minNonceCharacters && nonce.length <= maxNonceCharacters) return nonce;
  const range = `${minNonceCharacters} to ${maxNonceCharacters}`;
  throw malformed(`Signature-Input: parameter "nonce" must have ${range} characters, not ${nonce.length}`);
}

/** An invalid value is not echoed: it is the secret if the client has swapped id and secret. */
function requireKeyId(text: string): string {
  const keyId = unquote(text);
  if (keyIdPattern.test(keyId)) return keyId;
  throw malformed(
    'Signature-Input: parameter "keyid" must be the id of a key, svk_…; its secret, svs_…, is never sent',
  );
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

function readMac(signature: string, label: string, algorithm: Algorithm): Uint8Array {
  const macBytes = macBytesOf(algorithm);
  const characters = 4 * Math.ceil(macBytes / 3);
  const [, signatureLabel, base64 = ''] = signaturePattern.exec(signature) ?? [];
  const mac = Buffer.from(base64, 'base64');
  if (base64.length !== characters || mac.byteLength !== macBytes) {
    const expected = `one label=:base64: with the ${characters} characters of ${macBytes} bytes`;
    throw malformed(`Signature: expected ${expected}`);
  }
  if (signatureLabel !== label) throw malformed(`Signature: its label is not "${label}", the one in Signature-Input`);
  if (mac.toString('base64') !== base64) throw malformed('Signature: the base64 is not canonical');
  return mac;
}

/** A position in one header's text that only moves forward, by canonical RFC 8941 section 4.1 tokens. */
class StructuredFieldScanner {
  readonly field: string;
  readonly text: string;
  at = 0;

  constructor(field: string, text: string) {
    this.field = field;
    this.text = text;
  }

  get ended(): boolean {
    return this.at === this.text.length;
  }

  sees(literal: string): boolean {
    return this.text.startsWith(literal, this.at);
  }

  skip(literal: string): boolean {
    if (!this.sees(literal)) return false;
    this.at += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.skip(literal)) throw this.unexpected(`"${literal}"`);
  }

  /** Consumes the match of a sticky pattern, or refuses the header with the expected token and the position. */
  take(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) throw this.unexpected(expected);
    const token = this.text.slice(this.at, pattern.lastIndex);
    this.at = pattern.lastIndex;
    return token;
  }

  unexpected(expected: string): Error {
    return malformed(`${this.field}: expected ${expected} at position ${this.at}`);
  }
}
