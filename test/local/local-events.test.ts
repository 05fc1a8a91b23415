import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { sendRequest } from './send-request.ts';

let service: TestService;
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

async function events(): Promise<{ detail: { userId?: string; after: unknown } }[]> {
  const response = await fetch(`${service.url}/_local/events`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return ((await response.json()) as { items: [] }).items;
}

test('a change appears as an event at /_local/events and in the terminal', async () => {
  await service.request(['PUT', '/api/service/users/ada/access'], { body: { status: 'disabled', reason: 'left' } });
  const changed = await eventually(
    async () => (await events()).filter((event) => JSON.stringify(event).includes('"access.changed"')),
    ({ length }) => length > 0,
  );
  expect(changed).toMatchObject([{ detail: { userId: 'ada', appId: 'billing', after: { status: 'disabled' } } }]);
  expect(service.logLines).toContain('event access.changed billing ada');
});

test.each([
  ['127.0.0.1', 200],
  ['localhost', 200],
  ['evil.example', 421],
  ['127.0.0.1.evil.example', 421],
])('a request for the host %j gets %i, so that pages of other origins cannot read them', async (name, status) => {
  const { port } = new URL(service.url);
  const headers = { host: `${name}:${port}` };
  const answer = await sendRequest(service.url, { path: '/_local/events', headers });
  expect(answer.status).toBe(status);
  if (status !== 200) expect(answer.body).toBe('{"message":"Misdirected Request"}');
  const other = await sendRequest(service.url, { path: '/_local/events', headers: { host: `${name}:1` } });
  expect(other.status).toBe(421);
});

test('only GET returns them', async () => {
  const response = await fetch(`${service.url}/_local/events`, { method: 'POST' });
  expect(response.status).toBe(404);
});
