import { notSent } from '#cli/terminal/cli-error.ts';
import { countOf } from '#shared/contract/wording.ts';

/** A raw HTTP request from a file, parsed. */
export interface HttpRequest {
  readonly method: string;
  /** As written, without the query. */
  readonly path: string;
  /** As written, without the `?`. */
  readonly query: string;
  /** The host as written. */
  readonly host: string;
  /** The host in lower case, without a default port. */
  readonly authority: string;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Parses a raw HTTP/1.1 request, with line feeds or CRLF (RFC 9112 section 3): origin-form or absolute target, any body or
 * none.
 */
export function readHttpRequest(bytes: Uint8Array): HttpRequest {
  // Latin-1 has one character per byte, so offsets in the text are offsets in the bytes.
  const text = Buffer.from(bytes).toString('latin1');
  const start = /^(?:\u00ef\u00bb\u00bf)?[\r\n]*/.exec(text)?.[0].length ?? 0;
  const end = /\r?\n\r?\n/.exec(text.slice(start));
  const head = text.slice(start, end === null ? undefined : start + end.index);
  const rest = end === null ? new Uint8Array() : bytes.subarray(start + end.index + end[0].length);
  const [requestLine = '', ...lines] = head.trimEnd().split(/\r?\n/);
  const headers = readHeaders(lines);
  return { ...readRequestLine(requestLine, headers.host), headers, body: readBody(rest, headers['content-length']) };
}

function readRequestLine(line: string, hostHeader: string | undefined) {
  const [, method, target] = /^(\S+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/.exec(line) ?? [];
  if (method === undefined || target === undefined) {
    throw notSent(
      'The first line is not a request line (expected GET /api/service/users/ada/access HTTP/1.1 or similar).',
    );
  }
  const [, scheme = 'https', absoluteHost, path = '', query = ''] =
    /^(?:(https?):\/\/([^/?]*))?([^?]*)\??(.*)$/i.exec(target) ?? [];
  const host = absoluteHost ?? hostHeader;
  if (host === undefined) throw notSent('The request has neither a Host header nor an absolute target.');
  const origin = `${scheme}://${host}`;
  // Node 20 has no `URL.parse`.
  const authority = URL.canParse(origin) ? new URL(origin).host : undefined;
  if (authority === undefined) throw notSent(`The host ${host} is not valid.`);
  return { method, path, query, host, authority };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(line) ?? [];
    if (name === undefined) throw notSent(`Line ${index + 2} is not a header (expected Name: value).`);
    const earlier = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), earlier === undefined ? value.trim() : `${earlier},${value.trim()}`);
  }
  return Object.fromEntries(headers);
}

/** Line breaks alone end the file and do not count as a body; bytes beyond `Content-Length` are ignored. */
function readBody(rest: Uint8Array, contentLength: string | undefined): Uint8Array {
  if (contentLength === undefined) return rest.every((byte) => byte === 10 || byte === 13) ? new Uint8Array() : rest;
  if (!/^\d{1,9}$/.test(contentLength)) throw notSent('Content-Length is not a whole number.');
  const length = Number(contentLength);
  if (length <= rest.byteLength) return rest.subarray(0, length);
  throw notSent(`Content-Length is ${length}, but the body has ${countOf(rest.byteLength, 'byte')}.`, [
    'Use the bytes on the wire: an editor may have changed the line breaks.',
  ]);
}
