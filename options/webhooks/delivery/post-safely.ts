import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
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
  /** What arrived in the second after the header, at most 4 KB, as sent: nothing is decompressed. */
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
  /** For resolving, connecting, and the header of the answer. Default: 10 s. */
  readonly timeoutMilliseconds?: number;
}

const maxAnswerBytes = 4096;
/** The status counts, so a body that does not end is not waited for. */
const maxBodyMilliseconds = 1000;
/** Then the next address is tried; the last one has what is left of the time. */
const connectMilliseconds = 1000;

/**
 * Posts to a URL that somebody else chose. The name is resolved once, every address must be allowed, and the connection goes to
 * the first of them that accepts it, whatever the name leads to afterwards; TLS still verifies the name. Redirects are answers
 * like any other. Throws NoAnswer.
 */
export async function postSafely(url: URL, post: OutgoingPost, options: PostOptions = {}): Promise<ReceiverAnswer> {
  const { timeoutMilliseconds = 10_000 } = options;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new NoAnswer('no answer within the time')), timeoutMilliseconds);
  try {
    const onHeader = () => clearTimeout(timer);
    return await beforeAbort(send(url, post, { ...options, onHeader, signal: ending.signal }), ending.signal);
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

interface SendOptions extends PostOptions {
  readonly signal: AbortSignal;
  readonly onHeader: () => void;
}

async function send(url: URL, { headers, body }: OutgoingPost, options: SendOptions): Promise<ReceiverAnswer> {
  const { signal, onHeader } = options;
  // Of an address in brackets, as URLs have IPv6.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await allowedAddresses(host, options);
  signal.throwIfAborted();
  const connectTo: LookupFunction = (_, { all }, done) =>
    all === true ? done(null, [...addresses]) : done(null, addresses[0].address, addresses[0].family);
  const connecting = {
    lookup: connectTo,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectMilliseconds,
  };
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
        ...connecting,
        agent: false,
        maxHeaderSize: 16_384,
        signal,
      },
      (response) => {
        onHeader();
        const { statusCode: status = 0 } = response;
        const retryAfter = response.headers['retry-after'];
        readBeginning(response).then((beginning) => settle({ status, retryAfter, body: beginning }), reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

/** The addresses of a host, if all of them may be connected to. */
async function allowedAddresses(
  host: string,
  { resolve = resolveHost, isAllowed = isPublicAddress }: PostOptions,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(host);
  if (first === undefined) throw new NoAnswer('the host name has no address');
  if (![first, ...others].every(({ address }) => isAllowed(address)))
    throw new NoAnswer('the host name leads to a private address');
  return [first, ...others];
}

/** The beginning of an answer's body. The answer counts even if the body is slow, endless or cut off. */
function readBeginning(response: IncomingMessage): Promise<string> {
  return new Promise((settle) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      clearTimeout(timer);
      response.destroy();
      settle(Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString());
    };
    const timer = setTimeout(finish, maxBodyMilliseconds);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxAnswerBytes) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
  });
}

/** The code of a failure, without addresses or content. */
function describe(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? `connection failed: ${code}` : 'connection failed';
}
