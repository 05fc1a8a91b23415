import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  describeEvent,
  type LocalEvent,
  type LocalEventBus,
  serveEventBus,
  showEvents,
} from '../../local/eventbridge.ts';
import { localAccess } from '../../local/local-credentials.ts';

let told: LocalEvent[];
let bus: LocalEventBus;
let client: EventBridgeClient;
beforeEach(async () => {
  told = [];
  bus = await serveEventBus({ onEvent: (event) => told.push(event) });
  client = new EventBridgeClient({ endpoint: bus.url, ...localAccess, maxAttempts: 1 });
});
afterEach(async () => {
  client.destroy();
  await bus.close();
});

const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
const entry = (n: number): PutEventsRequestEntry => ({
  Source: 'auth-service',
  DetailType: 'access.changed',
  Detail: JSON.stringify({ n, appId: 'billing', userId: 'ada', reason: 'left "us"' }),
  Time: new Date('2026-11-20T19:14:11.123Z'),
});

describe('the local event bus', () => {
  test("works with the SDK's client, and keeps events in the format that EventBridge delivers", async () => {
    const { FailedEntryCount, Entries } = await put(entry(1));
    expect([FailedEntryCount, Entries]).toEqual([0, [{ EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]]);
    expect(bus.events).toEqual([
      {
        version: '0',
        id: Entries?.[0]?.EventId,
        'detail-type': 'access.changed',
        source: 'auth-service',
        account: '000000000000',
        time: '2026-11-20T19:14:11Z',
        region: 'local',
        resources: [],
        detail: { n: 1, appId: 'billing', userId: 'ada', reason: 'left "us"' },
      },
    ]);
    expect(told).toEqual(bus.events);
  });

  test('keeps the latest 1,000 events', async () => {
    for (let n = 0; n < 1010; n += 10) await put(...Array.from({ length: 10 }, (_, index) => entry(n + index)));
    const numbers = bus.events.map(({ detail }) => (detail as { n: number }).n);
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, index) => index + 10));
  });

  test.each([
    ['eleven events', Array.from({ length: 11 }, (_, n) => entry(n))],
    ['none', []],
    ['one whose detail is not JSON', [{ ...entry(1), Detail: '{' }]],
  ])('rejects a call with %s', async (_, entries) => {
    await expect(put(...entries)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(bus.events).toEqual([]);
  });

  test('shows its events as one JSON document', async () => {
    await put(entry(1), entry(2));
    const { statusCode, headers, body } = showEvents(bus);
    expect([statusCode, Object.fromEntries(headers)['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(body.toString())).toEqual({ items: bus.events });
  });

  test('describes an event in one line, without its reason', async () => {
    await put(entry(1));
    expect(told.map(describeEvent)).toEqual(['event access.changed billing ada']);
  });
});
