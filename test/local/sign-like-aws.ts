import { createHash, createHmac } from 'node:crypto';

/** A request to sign, and how; nothing is validated, so that anything can be wrong. */
export interface RequestLikeAws {
  readonly method?: string;
  /** As sent. */
  readonly path?: string;
  readonly query?: string;
  /** All are signed, unless `signedHeaders` names others. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signedHeaders?: readonly string[];
  readonly body?: string | Buffer;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region?: string;
  readonly service?: string;
  /** `20150830T123600Z` */
  readonly date: string;
}

/**
 * Builds the `authorization` header as specified in "Create a signed AWS API request" (IAM user guide), without a
 * library.
 */
export function signLikeAws(request: RequestLikeAws): string {
  const { accessKeyId, secretAccessKey, region = 'local', service = 'lambda', date, headers } = request;
  const { signedHeaders = Object.keys(headers) } = request;
  const names = [...signedHeaders].sort();
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const canonical = [
    request.method ?? 'GET',
    encodePath(request.path ?? '/'),
    canonicalQuery(request.query ?? ''),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    sha256(request.body ?? ''),
  ].join('\n');
  const key = scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  const credential = `${accessKeyId}/${scope}`;
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
}

/** `20150830T123600Z` */
export function awsDate(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, '');
}

export function sha256(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Encodes the path a second time, as every service except S3 requires. */
function encodePath(path: string): string {
  return path.split('/').map(encode).join('/');
}

/** Sorts by encoded name, then by value: `a` precedes `a%20`, although `=` follows `%`. */
function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => pair.split(/=(.*)/s, 2).map((part) => encode(decodeURIComponent(part))));
  return pairs
    .map(([name = '', value = '']) => [name, value] as const)
    .sort((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))
    .map((pair) => pair.join('='))
    .join('&');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
