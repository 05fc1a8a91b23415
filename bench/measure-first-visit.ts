import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, logIn } from './dashboard-browser.ts';
import { startLocalService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { type Connection, watchTraffic } from './page-traffic.ts';
import { median, spread } from './statistics.ts';

const connection: Connection = { bitsPerSecond: 400_000, latencyMs: 400 };
const rounds = 5;

interface Visit {
  /** From the navigation to the first text, and to the first user of the list. */
  readonly paintMs: number;
  readonly usableMs: number;
  /** The time in which the connection transfers what was received until then. */
  readonly transferMs: number;
}

/** Measures the first visit of a logged-in operator over a slow connection, with nothing cached. */
export async function measureFirstVisit(context: BenchContext): Promise<Measurement> {
  // First, so that a missing Chromium leaves nothing running.
  const browser = await launchBrowser();
  const service = await startLocalService(join(context.directory, 'data'));
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    const visits: Visit[] = [];
    await page.goto(service.example.baseUrl);
    await logIn(page);
    for (let round = 0; round < rounds; round++) {
      visits.push(await visit(page, service.example.baseUrl));
      context.progress(`Visit ${round + 1} of ${rounds}`);
    }
    return report(visits);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function visit(page: Page, url: string): Promise<Visit> {
  await page.waitForLoadState('networkidle');
  const traffic = await watchTraffic(page);
  await traffic.clearCache();
  await traffic.slowDown(connection);
  const startedAt = performance.now();
  await page.goto(`${url}/users`, { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Ada Lindqvist' }).waitFor();
  const usableMs = performance.now() - startedAt;
  const transferMs = (traffic.count().bytes * 8 * 1000) / connection.bitsPerSecond;
  const paintMs = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await traffic.end();
  return { paintMs, usableMs, transferMs };
}

function report(visits: readonly Visit[]): Measurement {
  const paints = visits.map(({ paintMs }) => paintMs);
  const usable = visits.map(({ usableMs }) => usableMs / 1000);
  const ratios = visits.map(({ usableMs, transferMs }) => usableMs / transferMs);
  return {
    budgets: [
      atMost('first visit: first paint', median(paints), 1500, 'ms'),
      atMost('first visit: usable / transfer', median(ratios), 1.4, '×'),
    ],
    samples: { visits },
    report: [
      `The users page of a logged-in operator in a browser without cached files, over ${connection.bitsPerSecond / 1000} kbit/s with ${connection.latencyMs} ms of latency, which the browser simulates; ${rounds} visits. The bar, the title and the outline of the list appear after ${spread(paints, 0)} ms, the list after ${spread(usable, 1)} s. Its files and data alone would take ${median(visits.map(({ transferMs }) => transferMs / 1000)).toFixed(1)} s, without any latency. \`test/e2e/first-paint.e2e.ts\` limits its requests and bytes.`,
    ],
  };
}
