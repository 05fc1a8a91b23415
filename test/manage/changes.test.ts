import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import { changeRows } from '../support/change-rows.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import type { Answer } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { anIntegrity, aTimestamp } from '../support/view-shapes.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(() => service.stop());

type Item = Record<string, unknown>;

/**
 * Returns the changes that an action wrote to the table, including those deleted since: the stream has published them.
 */
async function recordedBy(action: () => Promise<Answer>): Promise<{ answer: Answer; changes: Item[] }> {
  sdk.requests.length = 0;
  const answer = await action();
  const entries = sdk.requests.flatMap(({ input }) => input.TransactItems ?? []);
  const puts: Item[] = entries.flatMap(({ Put }) => (Put === undefined ? [] : [unmarshall(Put.Item)]));
  return { answer, changes: puts.filter(({ sk }) => String(sk).startsWith('CHANGE#')) };
}

const rows = changeRows(ask);

test('every operation that writes has a row in this test', () => {
  // Finding and verifying users and changes modifies nothing; undoing and repairing have their own tests.
  const others: readonly string[] = [
    'repair',
    'resolve-users',
    'verify-changes',
    'undo-change',
    'undo-bulk',
    'undo-status-bulk',
    // What a webhook is asked to send changes nothing that has a history.
    'resend-webhook',
    'test-webhook',
  ];
  const writing = Object.values(manageOperations).filter(
    ({ name, method }) => method !== 'GET' && !others.includes(name),
  );
  expect([...new Set(rows.map(({ route }) => route))].sort()).toEqual(writing.map(({ name }) => name).sort());
});

describe('an accepted change has one record, with the state before and after, and its repetition has none:', () => {
  test.each(rows)(
    'an accepted change has one record, and its repetition none: $route $does',
    async ({ route, write, change, again }) => {
      const { method } = manageOperations[route];
      const [path, body] = await write();
      const { answer, changes } = await recordedBy(() => ask(method, path, body));
      expect(answer.status).toBeLessThan(300);
      const id = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      const record = {
        id,
        at: aTimestamp,
        caller: operatorAt.iam,
        requestId: answer.headers['x-amzn-requestid'],
        sourceIp: '127.0.0.1',
        reason: null,
        integrity: expect.objectContaining({ root: 'k1', mac: anIntegrity.mac }),
        ...change(answer.body),
      };
      const ofTheTable = {
        pk: expect.any(String),
        sk: expect.stringMatching(/^CHANGE#/),
        ttl: expect.any(Number),
        by: expect.any(String),
        gsi2pk: expect.stringMatching(/^HISTORY#/),
        gsi2sk: id,
      };
      const isListed = 'appId' in record || /^user\.(deleted|status)/.test(String(Reflect.get(record, 'action')));
      const ofTheIndex = isListed ? { gsi1pk: expect.stringMatching(/#CHANGES$/), gsi1sk: id } : {};
      expect(changes).toEqual([{ ...record, ...ofTheTable, ...ofTheIndex }]);
      if (again === undefined) return;
      const repeated = await recordedBy(() => ask(method, path, body));
      expect([outcomeOf(repeated.answer), repeated.changes.filter(() => again === 'unchanged')]).toEqual([again, []]);
    },
  );

  test('a bulk request writes one record for each changed user, and none for the others', async () => {
    const appId = await newApplication();
    const [userId, other, same] = [await newUser(), await newUser(), await newUser()];
    await ask('PUT', `/users/${same}/access/${appId}`, { status: 'disabled' });
    const body = { userIds: [userId, 'nobody', same, other], status: 'disabled' };
    const { changes } = await recordedBy(() => ask('POST', `/applications/${appId}/access`, body));
    expect(changes.map((change) => change.userId).sort()).toEqual([userId, other].sort());
  });
});

function outcomeOf({ status, body }: Answer): unknown {
  if (status === 409) return 409;
  return body.changed === false || body.items?.[0]?.outcome === 'unchanged' ? 'unchanged' : body;
}
