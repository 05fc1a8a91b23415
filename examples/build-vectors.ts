import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSignatureSync } from 'http-message-sig';
import {
  createdSeconds,
  parameters as defaults,
  testKey,
  type VectorCase,
  type VectorKey,
  vectorCases,
} from './vector-cases.ts';
import type { VectorRequest } from './vector-request.ts';

/** One case of `vectors.json`; `examples/README.md` explains it for testing your own signer or verifier. */
export interface Vector {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: VectorRequest['headers'];
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly key: VectorKey;
  readonly time: number;
  readonly signatureBase: string;
  readonly signature: string;
  readonly expected: string;
  readonly serverSignatureBase?: string;
}

/** Signs every case with `http-message-sig`, an independent library. */
export function buildVectors(): Vector[] {
  return vectorCases.map(buildVector);
}

function buildVector(vector: VectorCase): Vector {
  const { name, expected, request, key = testKey, arrives = (signed) => signed, now = createdSeconds } = vector;
  const label = vector.label ?? 'sig1';
  const signatureBase = (vector.rewrite ?? String)(baseOf(vector, request));
  const signatureParams = paramsOf(signatureBase);
  const signature = createHmac(key.algorithm.slice('hmac-'.length), vector.secret ?? key.secret)
    .update(signatureBase)
    .digest('base64');
  const added = { 'Signature-Input': `${label}=${signatureParams}`, Signature: `${label}=:${signature}:` };
  const arrived = arrives({ ...request, headers: { ...request.headers, ...added } });
  return {
    name,
    request: describe(arrived),
    key,
    time: now,
    signatureBase,
    signature,
    expected,
    ...(expected === 'signature_mismatch' && { serverSignatureBase: serverBase(vector, arrived) }),
  };
}

/** Builds the signature base of a request with the library. */
function baseOf(
  { cover, key = testKey, parameters = { ...defaults, keyid: key.id } }: VectorCase,
  request: VectorRequest,
): string {
  const { method, url, headers } = request;
  let signed = '';
  const sign = (bytes: Uint8Array) => {
    signed = Buffer.from(bytes).toString();
    return bytes;
  };
  createSignatureSync(
    { kind: 'request', method, targetUri: url, fields: fieldsOf(headers) },
    { components: cover ?? requiredOf(request), parameters, signer: { algorithm: 'hmac-sha256', sign } },
  );
  return signed;
}

function requiredOf({ url, headers, body }: VectorRequest): string[] {
  const query = new URL(url).search === '' ? [] : ['@query'];
  const digest = body === undefined ? [] : ['content-digest'];
  const condition = headers['If-Match'] === undefined ? [] : ['if-match'];
  return ['@method', '@authority', '@path', ...query, ...digest, ...condition];
}

/** Returns the value of the last line, `@signature-params`. */
function paramsOf(signatureBase: string): string {
  return signatureBase.slice(signatureBase.lastIndexOf('\n') + '\n"@signature-params": '.length);
}

/** Builds the base from the received parameters and request values, with the values that the server reveals. */
function serverBase(vector: VectorCase, arrived: VectorRequest): string {
  const params = String(arrived.headers['Signature-Input']).replace(/^[^=]*=/, '');
  const lines = baseOf(vector, arrived).split('\n').slice(0, -1).map(shownLine);
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

const shownComponents: readonly string[] = ['@method', '@authority', '@path', '@query', 'content-digest', 'if-match'];

function shownLine(line: string): string {
  const [, name = ''] = line.split('"');
  return shownComponents.includes(name) ? line : `"${name}": (not shown)`;
}

function fieldsOf(headers: VectorRequest['headers']) {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}

function describe({ body, ...request }: VectorRequest): Vector['request'] {
  if (body === undefined) return request;
  if (typeof body === 'string') return { ...request, body };
  return { ...request, bodyBase64: Buffer.from(body).toString('base64') };
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, 'vectors.json'), `${JSON.stringify(buildVectors(), null, 2)}\n`);
}
