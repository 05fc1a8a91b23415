import { notSent } from '../terminal/cli-error.ts';

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

/** Parses a raw HTTP/1.1 request, with line feeds or CRLF (RFC 9112 section 3): origin-form or absolute target, any body or none. */
export function readHttpRequest(bytes: Uint8Array): HttpRequest {
  // Latin-1 has one character per byte, so positions in the text are positions in the bytes.
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
    throw notSent('The first line is no request line, such as GET /api/service/users/ada/access HTTP/1.1.');
  }
  const [, scheme = 'https', absoluteHost, path = '', query = ''] =
    /^(?:(https?):\/\/([^/?]*))?([^?]*)\??(.*)$/i.exec(target) ?? [];
  const host = absoluteHost ?? hostHeader;
  if (host === undefined) throw notSent('The request has no Host header and no absolute target.');
  const origin = `${scheme}://${host}`;
  // Node 20 has no `URL.parse`.
  const authority = URL.canParse(origin) ? new URL(origin).host : undefined;
  if (authority === undefined) throw notSent(`The host ${host} cannot be read.`);
  return { method, path, query, host, authority };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(line) ?? [];
    if (name === undefined) throw notSent(`Line ${index + 2} is no header, such as Host: auth.example.com.`);
    const earlier = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), earlier === undefined ? value.trim() : `${earlier},${value.trim()}`);
  }
  return Object.fromEntries(headers);
}

/** Line breaks alone end the file and are no body; bytes beyond `Content-Length` are not sent. */
function readBody(rest: Uint8Array, contentLength: string | undefined): Uint8Array {
  if (contentLength === undefined) return rest.every((byte) => byte === 10 || byte === 13) ? new Uint8Array() : rest;
  if (!/^\d{1,9}$/.test(contentLength)) throw notSent('Content-Length is no whole number.');
  const length = Number(contentLength);
  if (length <= rest.byteLength) return rest.subarray(0, length);
  throw notSent(`Content-Length is ${length}, but ${rest.byteLength} bytes of body follow.`, [
    'Take the bytes that were sent: an editor may have changed the line breaks.',
  ]);
}
