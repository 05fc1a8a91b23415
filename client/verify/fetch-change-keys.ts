import { changeKeysPath } from '#shared/contract/change-keys.ts';
import { ChangeNotVerifiedError } from './not-verified-error.ts';

/** An Ed25519 key as a JWK (RFC 7517, RFC 8037). */
export interface PublicKey {
  /** The name of the key, which signatures contain. */
  readonly kid?: string;
  /** The type: `OKP`. */
  readonly kty?: string;
  /** The curve: `Ed25519`. */
  readonly crv?: string;
  /** The public key in base64url. */
  readonly x?: string;
}

/** Where the keys are, and for how long they are kept. */
export interface ChangeKeysOptions {
  /** The origin of the service, such as `https://auth.example.com`. */
  readonly baseUrl: string;
  /** Seconds for which fetched keys are used. Default: 3600. */
  readonly keepSeconds?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Returns the public key of a name; undefined if the service has none of this name. */
export type ChangeKeys = (kid: string) => Promise<PublicKey | undefined>;

/** Invented names must not make the receiver call the service for each change. */
const pauseSeconds = 60;
const timeoutMilliseconds = 5000;
const maxCharacters = 65_536;

/**
 * Fetches the service's public keys when they are first needed, and keeps them. An unknown name fetches them again, at most
 * once a minute. While the service does not answer, known keys are still used.
 */
export function changeKeys({ baseUrl, keepSeconds = 3600, fetch: send = fetch }: ChangeKeysOptions): ChangeKeys {
  const url = new URL(changeKeysPath, baseUrl);
  let known = new Map<string, PublicKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let running: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    triedAt = performance.now();
    try {
      known = await fetchKeys(url, send);
      fetchedAt = triedAt;
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      running = undefined;
    }
  }

  return async (kid) => {
    const at = performance.now();
    const isFresh = at - fetchedAt < keepSeconds * 1000;
    if (!(isFresh && known.has(kid)) && at - triedAt >= pauseSeconds * 1000) running ??= refresh();
    if (running !== undefined && !known.has(kid)) await running;
    const key = known.get(kid);
    if (key === undefined && failure !== undefined)
      throw new ChangeNotVerifiedError('keys-unavailable', { cause: failure });
    return key;
  };
}

async function fetchKeys(url: URL, send: typeof fetch): Promise<Map<string, PublicKey>> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const response = await send(url, { redirect: 'error', signal });
  if (response.status !== 200) throw new Error(`The service answered ${response.status}`);
  const text = await response.text();
  if (text.length > maxCharacters) throw new Error('The answer is too long');
  const { keys } = JSON.parse(text) as { readonly keys: readonly (PublicKey & { readonly kid: string })[] };
  return new Map(keys.map((key) => [key.kid, key]));
}
