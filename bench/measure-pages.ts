import type { Browser, Page } from 'playwright-core';
import { createManageClient } from '../local/sigv4-client.ts';
import { launchBrowser, logIn } from './dashboard-browser.ts';
import { type LocalService, startFilledService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { appIdAt, type Population, userIdAt } from './populations.ts';
import { median } from './statistics.ts';

/** Access is by default, so few users have a setting or roles in an application. */
const population: Population = {
  users: 100_000,
  accesses: 5000,
  applications: 300,
  keysPerApplication: 1,
  rolesPerUser: 1,
};
const rounds = 5;
const [appId, userId, blockedId] = [appIdAt(0), userIdAt(50_000), userIdAt(4000)];

/** Each page of the dashboard, with a text that appears only with its data. */
const pages: Readonly<Record<string, readonly [path: string, shown: string]>> = {
  users: ['/users', userIdAt(0)],
  'the search for a user': [`/users?q=${userId}`, userId],
  'a user': [`/users/${userId}`, appIdAt(20)],
  'all keys': ['/keys', `svk_k1_${appIdAt(20)}`],
  'the history': ['/history', 'Role assigned'],
  applications: ['/applications', appIdAt(20)],
  'an application with its keys': [`/applications/${appId}`, `svk_k1_${appId}`],
  'its roles': [`/applications/${appId}?tab=roles`, 'role-000'],
  'its users': [`/applications/${appId}?tab=users`, userIdAt(0)],
  'its blocked users': [`/applications/${appId}?tab=users&access=disabled`, blockedId],
  'its history': [`/applications/${appId}?tab=history`, blockedId],
};

/** Measures each page of the dashboard in a browser, from the click to its data, with the data of a large company. */
export async function measurePages(context: BenchContext): Promise<Measurement> {
  // First, so that a missing Chromium leaves nothing running.
  const browser = await launchBrowser();
  const service = await startFilledService(population, context);
  try {
    await block(service);
    const page = await enter(browser, service.example.baseUrl);
    const samples = new Map(Object.keys(pages).map((name): [string, number[]] => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [name, [path, shown]] of Object.entries(pages)) {
        const milliseconds = await timePage(page, service.example.baseUrl, path, shown);
        // The first round warms the functions up.
        if (round > 0) samples.get(name)?.push(milliseconds);
      }
    }
    return report(samples);
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Blocks one user, so that the application has one blocked user and one change in its history. */
async function block({ example }: LocalService): Promise<void> {
  const send = createManageClient(example.manageUrl, example);
  const { status } = await send('PUT', `/users/${blockedId}/access/${appId}`, { status: 'disabled' });
  if (status !== 200) throw new Error(`Blocking got ${status}`);
}

async function enter(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await page.goto(url);
  await logIn(page);
  return page;
}

/** Milliseconds from a click, in a dashboard that has not loaded the page before, to the first row of the page's data. */
async function timePage(page: Page, url: string, path: string, shown: string): Promise<number> {
  await page.goto(`${url}/bulk`);
  await page.waitForLoadState('networkidle');
  const startedAt = performance.now();
  // As the router does when a link is clicked.
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.getByText(shown).first().waitFor();
  return performance.now() - startedAt;
}

function report(samples: ReadonlyMap<string, readonly number[]>): Measurement {
  const found = [...samples].map(([name, each]) => ({ name, milliseconds: median(each) }));
  const [slowest] = found.toSorted((one, other) => other.milliseconds - one.milliseconds);
  const times = found.map(({ name, milliseconds }) => `${name} ${milliseconds.toFixed(0)}`).join(', ');
  return {
    budgets: [atMost('the slowest page of the dashboard', slowest?.milliseconds ?? Number.NaN, 1000, 'ms')],
    samples: Object.fromEntries(samples),
    report: [
      `\`npm start\` with ${population.users.toLocaleString('en-US')} users and ${population.applications} applications, one of which has ${population.accesses.toLocaleString('en-US')} users with a setting and a role. In a browser whose dashboard has not loaded the page before, ${rounds} times in turns, in milliseconds from the click to the page's data: ${times}.`,
    ],
  };
}
