import { layOutBase } from './serialize.ts';
import { malformed, SignatureError } from './signature-error.ts';

/** Creates the text that is signed: a line per component, then the parameters (RFC 9421 section 2.5). */
export function createSignatureBase(
  components: readonly string[],
  signatureParams: string,
  source: ComponentSource,
): string {
  return layOutBase(components, signatureParams, (name) => componentValue(name, source));
}

/** The one reading of a request from which component values are taken (RFC 9421 section 2). */
export interface ComponentSource {
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: HeaderValues;
}

/** Header values by lower-case name (RFC 9421 section 2.1). */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/** Reads one component's value (RFC 9421 section 2), or throws `component_missing`, or `signature_malformed` if no base can hold it. */
export function componentValue(name: string, source: ComponentSource): string {
  return checkedValue(name, receivedValue(name, source));
}

/** Trims a header's value and refuses one that is absent or cannot stand in one line (RFC 9421 section 2.1). */
export function checkedValue(name: string, value: string | undefined): string {
  if (value === undefined) throw new SignatureError('component_missing', `the request carries no "${name}" to cover`);
  if (/[^\t -~]/.test(value)) throw malformed(`component "${name}": a value must be one line of ASCII`);
  return name.startsWith('@') ? value : value.trim();
}

function receivedValue(name: string, source: ComponentSource): string | undefined {
  switch (name) {
    case '@method':
      return source.method;
    case '@authority':
      return source.authority;
    case '@path':
      return source.path;
    case '@query':
      return `?${source.query}`;
    default:
      return headerValue(source.headers, name);
  }
}

/** Reads a header that was received; names such as `constructor` are inherited by objects and were not (RFC 9421 section 2.1). */
export function headerValue(headers: HeaderValues, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}
