import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { learnLimit, withinLimit } from '#shared/domain/request/request-limit.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const memory = tableForEachTest();
let applications = 0;

/** An application that this process has not seen, after its first request has read the limit. */
async function limited(requestsPerSecond: number | null): Promise<AppId> {
  const appId = `app-${++applications}` as AppId;
  await withinLimit(appId, async () => learnLimit({ appId, requestsPerSecond } as Application));
  memory.sdk.requests.length = 0;
  return appId;
}

/** Sends requests, and returns the errors of those that are refused, and how many ran. */
async function send(appId: AppId, count: number) {
  const refused: { readonly code: string; readonly options: { detail: string; headers: Record<string, string> } }[] =
    [];
  let ran = 0;
  for (let n = 0; n < count; n++) {
    const run = async () => {
      ran += 1;
      return 'answer';
    };
    const answer = await withinLimit(appId, run).catch((error) => refused.push(error));
    expect(answer).toBe(typeof answer === 'number' ? refused.length : 'answer');
  }
  return { refused, ran };
}

test('an application without a limit is never refused or counted', async () => {
  expect(await send(await limited(null), 2000)).toEqual({ refused: [], ran: 2000 });
  expect(memory.sdk.requests).toEqual([]);
});

test('most requests far above the limit are refused, with the time after which to retry', async () => {
  const { refused, ran } = await send(await limited(2), 2000);
  expect(ran).toBeLessThan(500);
  expect(ran + refused.length).toBe(2000);
  const seconds = new Set(refused.map(({ options }) => options.headers['retry-after']));
  expect([...seconds].sort()).toEqual(['1', '2', '3', '4', '5']);
  for (const { code, options } of refused) {
    const after = options.headers['retry-after'];
    expect(code).toBe('too_many_requests');
    expect(options.detail).toBe(
      `The application sends more than its limit of 2 requests per second. Try again in ${after} s.`,
    );
    expect(options.headers).toEqual({
      'retry-after': after,
      'ratelimit-policy': '"app";q=10;w=5',
      ratelimit: `"app";r=0;t=${after}`,
    });
  }
});

test('each application has its own limit', async () => {
  const [busy, quiet] = [await limited(2), await limited(2)];
  await send(busy, 2000);
  expect((await send(quiet, 1)).refused).toEqual([]);
});
