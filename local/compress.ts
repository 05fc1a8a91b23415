import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An encoded body, with its headers. */
export interface EncodedBody {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The encodings of CloudFront, tuned for speed rather than size. */
const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

const compressible = /^(?:text\/|application\/json|image\/svg)/;
/** CloudFront does not compress smaller files ("Serve compressed files"). */
const minBytes = 1000;

/** Caches each file once per encoding: a built dashboard has few files, and they change only with a build. */
const encoded = new Map<string, Promise<Buffer>>();

export interface PlainBody {
  readonly body: Buffer;
  readonly type: string;
  /** The request's Accept-Encoding. Default: none. */
  readonly accept?: readonly string[] | undefined;
  /** Reads what the build has compressed with Brotli. Default: it is compressed here. */
  readonly packed?: (() => Promise<Buffer>) | undefined;
}

/**
 * Compresses a file with the best encoding that the client accepts (RFC 9110 section 12.5.3): Brotli, gzip, or none.
 * `Vary` tells caches that the response depends on it.
 */
export async function encodeBody({ body, type, accept = [], packed }: PlainBody): Promise<EncodedBody> {
  if (!compressible.test(type) || body.length < minBytes) return { body, headers: {} };
  const vary = { vary: 'accept-encoding' };
  const encoding = accepted(accept);
  if (encoding === undefined) return { body, headers: vary };
  const headers = { ...vary, 'content-encoding': encoding };
  if (encoding === 'br' && packed) return { body: await packed(), headers };
  const key = `${encoding} ${hash('sha256', body)}`;
  const compressing = encoded.get(key) ?? encoders[encoding](body);
  encoded.set(key, compressing);
  return { body: await compressing, headers };
}

function accepted(accept: readonly string[]): keyof typeof encoders | undefined {
  const refused = /;\s*q=0(?:\.0*)?$/;
  const named = accept
    .join(',')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !refused.test(part))
    .map((part) => part.replace(/\s*;.*$/, ''));
  return (['br', 'gzip'] as const).find((encoding) => named.includes(encoding));
}
