import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, type Resolve, resolveHost } from './public-address.ts';

/** What is posted. */
export interface OutgoingPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer of a receiver, whatever its status. */
export interface ReceiverAnswer {
  readonly status: number;
  /** The header `Retry-After`, as sent. */
  readonly retryAfter: string | undefined;
  /** At most the first 4 KB, as sent: nothing is decompressed. */
  readonly body: string;
}

/** Why there is no answer, in words for operators. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface PostOptions {
  /** Default: as the system resolves names. */
  readonly resolve?: Resolve;
  /** Which addresses may be connected to. Default: public ones. */
  readonly isAllowed?: (address: string) => boolean;
  /** For everything: resolving, connecting, and the beginning of the answer. Default: 10 s. */
  readonly timeoutMilliseconds?: number;
}

const maxAnswerBytes = 4096;

/**
 * Posts to a URL that somebody else chose. The name is resolved once, every address must be allowed, and the connection goes to
 * the first of them, whatever the name leads to afterwards; TLS still verifies the name. Redirects are answers like any other.
 * Throws NoAnswer.
 */
export async function postSafely(url: URL, post: OutgoingPost, options: PostOptions = {}): Promise<ReceiverAnswer> {
  const { timeoutMilliseconds = 10_000 } = options;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new NoAnswer('no answer within the time')), timeoutMilliseconds);
  try {
    return await beforeAbort(send(url, post, { ...options, signal: ending.signal }), ending.signal);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(describe(error));
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Resolving cannot be aborted, only left behind. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  work.catch(() => undefined);
  return Promise.race([work, aborted]);
}

async function send(
  url: URL,
  { headers, body }: OutgoingPost,
  { resolve = resolveHost, isAllowed = isPublicAddress, signal }: PostOptions & { readonly signal: AbortSignal },
): Promise<ReceiverAnswer> {
  // Of an address in brackets, as URLs have IPv6.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(host);
  const [first] = addresses;
  if (first === undefined) throw new NoAnswer('the host name has no address');
  if (!addresses.every(({ address }) => isAllowed(address)))
    throw new NoAnswer('the host name leads to a private address');
  signal.throwIfAborted();
  const connectTo: LookupFunction = (_, { all }, done) =>
    all === true ? done(null, [first]) : done(null, first.address, first.family);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((settle, reject) => {
    const content = Buffer.from(body);
    const outgoing = request(
      {
        host,
        port: url.port === '' ? undefined : url.port,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { host: url.host, ...headers, 'accept-encoding': 'identity', 'content-length': content.length },
        lookup: connectTo,
        agent: false,
        maxHeaderSize: 16_384,
        signal,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        const finish = () => {
          response.destroy();
          const answer = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString();
          settle({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body: answer });
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length >= maxAnswerBytes) finish();
        });
        response.on('end', finish);
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

/** The code of a failure, without addresses or content. */
function describe(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? `connection failed: ${code}` : 'connection failed';
}
