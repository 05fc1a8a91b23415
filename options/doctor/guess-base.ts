import { type ComponentSource, createSignatureBase } from '#shared/signature/base.ts';
import { createContentDigest } from '#shared/signature/digest.ts';
import type { ParsedSignature } from '#shared/signature/scan.ts';
import { candidateBases } from '#shared/signature/verify.ts';
import type { MistakeId } from './mistakes.ts';
import type { Received } from './receive-request.ts';

/** A text that may have been signed, and the mistake that leads to it; undefined if the service accepts it. */
export interface Guess<Value> {
  readonly value: Value;
  readonly mistake: MistakeId | undefined;
}

/** A mistake, and what a caller who makes it signs instead of what was sent. */
type SourceEdit = readonly [MistakeId, Partial<ComponentSource>];

/** Yields texts that may have been signed as the signature base, the correct ones first. */
export function* guessBases(received: Received, parsed: ParsedSignature): Generator<Guess<string>, void> {
  const { message, request } = received;
  for (const value of candidateBases(message, parsed)) yield { value, mistake: undefined };
  const { method, authority, query, headers } = request;
  const source = { method, authority, path: message.paths[0] ?? request.path, query, headers };
  const { signatureParams } = parsed;
  for (const [mistake, edited] of sourceEdits(received)) {
    const value = createBaseIfPossible(parsed, signatureParams, { ...source, ...edited });
    if (value !== undefined) yield { value, mistake };
  }
  for (const [mistake, editedParams] of parameterEdits(parsed)) {
    const value = createBaseIfPossible(parsed, editedParams, source);
    if (value !== undefined) yield { value, mistake };
  }
  const correctBase = createBaseIfPossible(parsed, signatureParams, source);
  if (correctBase !== undefined) yield* lineEdits(correctBase, parsed);
}

/**
 * The signature base of these components; undefined if one of them has no valid value, so that no caller can have signed it. A
 * mistake may lead to a path that is not ASCII, which the verifier rejects: it is inserted into the base unchanged.
 */
function createBaseIfPossible(parsed: ParsedSignature, params: string, source: ComponentSource): string | undefined {
  const placeholder = '/path-that-is-not-ascii';
  const ascii = /^[\t -~]*$/.test(source.path);
  try {
    const base = createSignatureBase(parsed.components, params, { ...source, ...(!ascii && { path: placeholder }) });
    return ascii ? base : base.replace(`"@path": ${placeholder}`, () => `"@path": ${source.path}`);
  } catch {
    return undefined;
  }
}

function* sourceEdits({ request, message }: Received): Generator<SourceEdit, void> {
  const { method, headers, body } = request;
  yield ['method_lower_case', { method: method.toLowerCase() }];
  for (const other of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD']) yield ['method_other', { method: other }];
  yield* authorityEdits(request);
  // The sent path names the user, but the service tries other encodings of it.
  yield ['path_encoding', { path: request.path }];
  for (const path of message.paths) yield* pathEdits(path, request.query);
  yield* queryEdits(request.query);
  const digest = createContentDigest(body);
  yield ['digest_other', { headers: { ...headers, 'content-digest': digest } }];
  for (const form of digestForms(headers['content-digest'] ?? digest)) {
    yield ['digest_form', { headers: { ...headers, 'content-digest': form } }];
  }
}

function* authorityEdits({ host, authority }: Received['request']): Generator<SourceEdit, void> {
  const name = authority.replace(/:\d+$/, '');
  for (const port of ['', ':443', ':80', ':3000', ':8080', ':8443']) {
    yield ['authority_port', { authority: name + port }];
  }
  for (const spelling of [host, authority.toUpperCase(), capitalized(authority)]) {
    yield ['authority_upper_case', { authority: spelling }];
  }
  for (const scheme of ['https://', 'http://']) yield ['authority_scheme', { authority: scheme + authority }];
}

function capitalized(name: string): string {
  return name.replace(/^./, (first) => first.toUpperCase());
}

function* pathEdits(path: string, query: string): Generator<SourceEdit, void> {
  const decoded = decode(path);
  yield ['path_decoded', { path: decoded }];
  const lowerCaseDigits = path.replace(/%../g, (digits) => digits.toLowerCase());
  for (const encoded of [lowerCaseDigits, path.replaceAll('%', '%25'), encodeURI(decoded), encodeURI(path)]) {
    yield ['path_encoding', { path: encoded }];
  }
  yield ['path_prefix', { path: path.replace('/api/service', '') }];
  yield ['path_with_query', { path: `${path}?${query}` }];
  yield ['path_slash', { path: `${path}/` }];
}

function* queryEdits(query: string): Generator<SourceEdit, void> {
  yield ['query_missing', { query: '' }];
  for (const order of permutations(query.split('&'))) yield ['query_order', { query: order.join('&') }];
  const decoded = decode(query);
  const encodings = [decoded, decode(query.replaceAll('+', ' ')), encodeURI(decoded), encodeURI(query)];
  encodings.push(query.replaceAll('+', '%20'), query.replaceAll('%20', '+'), new URLSearchParams(query).toString());
  for (const encoded of encodings) yield ['query_encoding', { query: encoded }];
}

function digestForms(header: string): string[] {
  const base64 = /sha-256=:([^:]*):/.exec(header)?.[1] ?? '';
  const hex = Buffer.from(base64, 'base64').toString('hex');
  return [base64, hex, `sha-256=${base64}`, `SHA-256=${base64}`, `sha-256=:${hex}:`, `:${base64}:`];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function* parameterEdits(parsed: ParsedSignature): Generator<readonly [MistakeId, string], void> {
  const { signatureParams, created, label } = parsed;
  for (const unit of [`${created * 1000}`, `${Math.floor(created / 1000)}`, (created / 1000).toFixed(3)]) {
    yield ['created_milliseconds', signatureParams.replace(/;created=\d+/, `;created=${unit}`)];
  }
  yield ['parameters_label', `${label}=${signatureParams}`];
  const [list = ''] = /^\([^)]*\)/.exec(signatureParams) ?? [];
  yield ['parameters_missing', list];
  const parameters = signatureParams.slice(list.length).match(/;[a-z]+=(?:\d+|"(?:[^"\\]|\\.)*")/g) ?? [];
  for (const order of permutations(parameters)) yield ['parameter_order', list + order.join('')];
}

function* lineEdits(base: string, { components }: ParsedSignature): Generator<Guess<string>, void> {
  const lines = base.split('\n');
  const params = lines.pop() ?? '';
  const without = (name: string) => lines.filter((_, at) => components[at] !== name);
  const guess = (mistake: MistakeId, kept: readonly string[]) => ({ value: [...kept, params].join('\n'), mistake });
  yield guess('query_missing', without('@query'));
  yield guess(
    'query_mark',
    lines.map((line) => line.replace(/^"@query": \?/, '"@query": ')),
  );
  yield guess('digest_missing', without('content-digest'));
  for (const order of permutations(lines)) yield guess('component_order', order);
  yield { value: lines.join('\n'), mistake: 'parameters_missing' };
  yield { value: base.replace(/^"([^"]+)"/gm, '$1'), mistake: 'component_names' };
}

/** Yields every order of up to six items; a longer list, which has thousands of orders, only as it is. */
function* permutations(items: readonly string[]): Generator<string[], void> {
  if (items.length < 2 || items.length > 6) return yield [...items];
  for (const [at, first] of items.entries()) {
    for (const rest of permutations(items.toSpliced(at, 1))) yield [first, ...rest];
  }
}
