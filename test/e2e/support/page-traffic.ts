import type { CDPSession, Page } from 'playwright-core';

/** What left the browser and came back. */
export interface Traffic {
  /** Without those that the cache answered; each redirect counts. */
  readonly requests: number;
  /** Compressed bodies with their headers. */
  readonly bytes: number;
}

/** Counts the traffic of a page from all hosts; each call of `count` resets it. */
export interface TrafficWatch {
  count(): Traffic;
  /** Empties the cache, so that the next visit is a first one. */
  clearCache(): Promise<void>;
}

export async function watchTraffic(page: Page): Promise<TrafficWatch> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = new Map<string, number>();
  const add = (id: string, length: number) => bytes.set(id, (bytes.get(id) ?? 0) + length);
  onEachResponse(devtools, add);
  return {
    count: () => {
      const counted = { requests: bytes.size, bytes: [...bytes.values()].reduce((sum, each) => sum + each, 0) };
      bytes = new Map();
      return counted;
    },
    clearCache: async () => {
      await devtools.send('Network.clearBrowserCache');
    },
  };
}

/** Reports the bytes of each response that did not come from the cache, under an id of its own. */
function onEachResponse(devtools: CDPSession, report: (id: string, bytes: number) => void): void {
  const redirects = new Map<string, number>();
  const cached = new Set<string>();
  const idOf = (requestId: string) => `${requestId} ${redirects.get(requestId) ?? 0}`;
  devtools.on('Network.requestWillBeSent', ({ requestId, redirectResponse }) => {
    if (redirectResponse === undefined) return;
    report(idOf(requestId), redirectResponse.encodedDataLength);
    redirects.set(requestId, (redirects.get(requestId) ?? 0) + 1);
  });
  devtools.on('Network.requestServedFromCache', ({ requestId }) => void cached.add(requestId));
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || /^(?:data|blob):/.test(response.url)) cached.add(requestId);
    if (!cached.has(requestId)) report(idOf(requestId), 0);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!cached.has(requestId)) report(idOf(requestId), encodedDataLength);
  });
}
