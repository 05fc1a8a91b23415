import type { Bearer } from './create-api.ts';

/** Reads that are sent before the scripts that need their answers have arrived. */
export interface EarlyReads {
  /** Sends a GET of the Management API. Its answer is kept for the next `fetch` of the same URL. */
  read(url: string, signal: AbortSignal): Promise<Response>;
  /** As `fetch`; the answer of a successful early read is used once. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Forgets the answer that was not used. */
  forget(): void;
}

/** Creates the reads of a logged-in operator. Only the latest answer is kept, and none once the operator changes something. */
export function createEarlyReads(bearer: Pick<Bearer, 'token'>): EarlyReads {
  let kept: { readonly key: string; readonly answer: Promise<Response> } | undefined;
  const forget = () => {
    kept = undefined;
  };
  return {
    read: async (url, signal) => {
      const headers = { authorization: `Bearer ${bearer.token() ?? ''}` };
      const answer = fetch(url, { headers, cache: 'no-store', priority: 'high', signal });
      kept = { key: keyOf(url), answer };
      return (await answer).clone();
    },
    fetch: (url, init) => {
      if (init.method !== 'GET') forget();
      if (kept?.key !== keyOf(url)) return fetch(url, init);
      const { answer } = kept;
      forget();
      const send = () => fetch(url, init);
      return answer.then((early) => (early.ok ? early : send()), send);
    },
    forget,
  };
}

/** Equal for URLs that differ only in how they are encoded. */
function keyOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'https://dashboard.invalid');
  return `${pathname}?${searchParams}`;
}
