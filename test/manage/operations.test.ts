import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import { operationClient } from '../support/ask-operation.ts';
import { describeService } from '../support/describe-service.ts';
import { requestIdOf } from '../support/expect-problem.ts';
import { type EntryPoint, entryPoints, operatorAt } from '../support/manage-client.ts';
import { manageOutcomes } from '../support/manage-outcomes.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type AnyCall, type Attempt, rowsOf } from '../support/outcomes.ts';
import type { Answer } from '../support/send-request.ts';
import { anIntegrity, aTimestamp } from '../support/view-shapes.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
});

const ask = operationClient(() => service);
const outcomes = manageOutcomes(() => service, ask);
const accepted = rowsOf(outcomes).filter(({ outcome }) => outcome.startsWith('done'));

type Item = Record<string, unknown>;

/** Returns the Changes that a request wrote to the table, including those deleted since: the stream has published them. */
async function recordedBy(action: () => Promise<Answer>): Promise<{ answer: Answer; changes: Item[] }> {
  sdk.requests.length = 0;
  const answer = await action();
  const entries = sdk.requests.flatMap(({ input }) => input.TransactItems ?? []);
  const puts: Item[] = entries.flatMap(({ Put }) => (Put === undefined ? [] : [unmarshall(Put.Item)]));
  return { answer, changes: puts.filter(({ sk }) => String(sk).startsWith('CHANGE#')) };
}

/** A stored Change, with exactly these members. */
function aStoredChange(said: Item, answer: Answer, entryPoint: EntryPoint): Item {
  const id = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  const who = { caller: operatorAt[entryPoint], requestId: requestIdOf(answer), sourceIp: '127.0.0.1', reason: null };
  const ofTheTable = { pk: expect.any(String), sk: expect.stringMatching(/^CHANGE#/), ttl: expect.any(Number) };
  const inTheHistory = { by: expect.any(String), gsi2pk: expect.stringMatching(/^HISTORY#/), gsi2sk: id };
  const isListed = 'appId' in said || /^user\.(deleted|status)/.test(String(said.action));
  const inTheIndex = isListed ? { gsi1pk: expect.stringMatching(/#CHANGES$/), gsi1sk: id } : {};
  const integrity = expect.objectContaining({ root: 'h1', mac: anIntegrity.mac });
  return { id, at: aTimestamp, ...who, integrity, ...ofTheTable, ...inTheHistory, ...inTheIndex, ...said };
}

/** Whether the response says that nothing was to change. */
function isUnchanged({ changed, items }: Answer['body']): boolean {
  return changed === false || items?.every(({ outcome }: { outcome: string }) => outcome === 'unchanged');
}

function expectHeaders({ headers, body }: Answer): void {
  const safe = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  expect(headers).toMatchObject({ 'content-type': 'application/json', ...safe });
  expect(headers.etag).toBe(body.version === undefined ? undefined : `"${body.version}"`);
}

test('every operation has outcomes', () => {
  expect(Object.keys(outcomes).sort()).toEqual(Object.keys(manageOperations).sort());
});

describe.each(entryPoints)('through the entry point %s', (entryPoint) => {
  const rows = accepted.filter(({ outcome }) => outcome === 'done' || entryPoint === 'iam');

  test.each(rows)(
    'an accepted request answers with all members, and its change has one record, and its repetition none: $operation, $outcome',
    async ({ operation, outcome, prepare }) => {
      const attempt: Attempt<AnyCall> = await prepare();
      const { call, status, groups, change, again } = attempt;
      const asked = () => ask(operation, call, { entryPoint, groups });
      const { answer, changes } = await recordedBy(asked);
      expect([answer.status, answer.body]).toEqual([status, attempt.answer ?? expect.any(Object)]);
      expectHeaders(answer);
      if (outcome === 'done') expect(attempt.answer).toBeDefined();
      const expected = change === undefined ? [] : [aStoredChange(change(answer.body), answer, entryPoint)];
      // A repair records what it finds, which is all that tests have altered.
      if ((outcome === 'done' && operation !== 'repair') || change !== undefined) expect(changes).toEqual(expected);
      if (again === undefined) return;
      const repeated = await recordedBy(asked);
      const { status: then, body } = repeated.answer;
      expect([then === 409 ? then : isUnchanged(body) && 'unchanged', repeated.changes]).toEqual([again, []]);
    },
  );
});

test('a bulk request writes one record for each changed user, and none for the others', async () => {
  const appId = await newApplication();
  const [userId, other, same] = [await newUser(), await newUser(), await newUser()];
  await ask('set-user-access', { path: { userId: same, appId }, body: { status: 'disabled' } });
  const body = { userIds: [userId, 'nobody', same, other], status: 'disabled' };
  const { changes } = await recordedBy(() => ask('set-access-in-bulk', { path: { appId }, body }));
  expect(changes.map((change) => change.userId).sort()).toEqual([userId, other].sort());
});
