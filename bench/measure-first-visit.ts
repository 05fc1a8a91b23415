import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, logIn } from './dashboard-browser.ts';
import { startLocalService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { median, spread } from './statistics.ts';

const connection = { kilobits: 400, latencyMs: 400 } as const;
const rounds = 5;

/** Measures the first visit of a logged-in operator over a slow connection, with nothing cached. */
export async function measureFirstVisit(context: BenchContext): Promise<Measurement> {
  // First, so that a missing Chromium leaves nothing running.
  const browser = await launchBrowser();
  const service = await startLocalService(join(context.directory, 'data'));
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(service.example.baseUrl);
    await logIn(page);
    const visits: Awaited<ReturnType<typeof visit>>[] = [];
    for (let round = 1; round <= rounds; round++) {
      context.progress(`Visit ${round} of ${rounds}`);
      visits.push(await visit(page, service.example.baseUrl));
    }
    const paints = visits.map(({ paintMs }) => paintMs);
    const usable = visits.map(({ usableMs }) => usableMs / 1000);
    const whole = visits.map(({ wholeMs }) => wholeMs / 1000);
    return {
      budgets: [
        atMost('first visit: first paint', median(paints), 1500, 'ms'),
        atMost('first visit: list of users and its search', median(usable), 5, 's'),
        atMost('first visit: whole dashboard', median(whole), 10, 's'),
      ],
      samples: visits,
      report: [
        `The users page of a logged-in operator in a browser without cached files, over ${connection.kilobits} kbit/s with ${connection.latencyMs} ms of latency, which the browser simulates; ${rounds} visits. The bar, the title and the outline of the list appear after ${spread(paints, 0)} ms. The list of users with its search follows after ${spread(usable, 1)} s, the rest of the dashboard after ${spread(whole, 1)} s. \`test/e2e/first-paint.e2e.ts\` limits its requests and bytes.`,
      ],
    };
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Milliseconds from the navigation to the first text, to a user of the list, and to what needs all scripts. */
async function visit(page: Page, url: string) {
  await page.waitForLoadState('networkidle');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  const [bytes, latency] = [(connection.kilobits * 1000) / 8, connection.latencyMs];
  const throughput = { downloadThroughput: bytes, uploadThroughput: bytes };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput });
  const startedAt = performance.now();
  await page.goto(`${url}/users`, { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Ada Lindqvist' }).waitFor();
  const usableMs = performance.now() - startedAt;
  await page.getByRole('button', { name: 'Create user' }).waitFor();
  const wholeMs = performance.now() - startedAt;
  const paintMs = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await devtools.detach();
  return { paintMs, usableMs, wholeMs };
}
