import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';

/** Slows the page's CPU down by this factor, as an old computer is; 1 ends that. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Clicks a button twice, without waiting until the page has handled the first click. */
export async function clickTwice(page: Page, button: Locator, gapMilliseconds: number): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('The button is not visible');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const session = await page.context().newCDPSession(page);
  const first = click(session, at);
  await setTimeout(gapMilliseconds);
  await Promise.all([...first, ...click(session, at)]);
}

function click(session: CDPSession, at: { readonly x: number; readonly y: number }): Promise<unknown>[] {
  return (['mousePressed', 'mouseReleased'] as const).map((type) =>
    session.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 }),
  );
}

/** The requests that change something from now on, each as its method, its path and its `Idempotency-Key`. */
export function recordWrites(page: Page): () => readonly { readonly call: string; readonly key: string | undefined }[] {
  const writes: { call: string; key: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' || !pathname.startsWith('/api/')) return;
    writes.push({ call: `${request.method()} ${pathname}`, key: request.headers()['idempotency-key'] });
  });
  return () => writes;
}

export interface Submission {
  readonly rate?: number;
  readonly gap?: number;
  /** Waits until the page shows that it has saved. */
  readonly outcome: (page: Page) => Promise<unknown>;
}

/** Clicks a button twice on a slow computer, and waits for the outcome; returns what was sent. */
export async function clickTwiceSlowly(page: Page, button: Locator, { rate = 20, gap = 40, outcome }: Submission) {
  await button.waitFor();
  const writes = recordWrites(page);
  await slowDown(page, rate);
  await clickTwice(page, button, gap);
  await outcome(page);
  await slowDown(page, 1);
  await page.waitForLoadState('networkidle');
  return writes().map(({ call }) => call);
}
