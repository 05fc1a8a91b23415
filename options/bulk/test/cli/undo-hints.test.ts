import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { describeStub } from '#test/cli/describe-stub.ts';
import { programOfRunCli, runCli } from '#test/cli/run-cli.ts';
import { problem, type SeenRequest, type StubReply } from '#test/cli/stub-service.ts';

const route = 'POST /applications/billing/access';
const { stub, place } = describeStub();
let file: string;
beforeEach(() => {
  stub.on(route, outcomes);
  file = join(mkdtempSync(join(place.folder, 'hints-')), 'ids.txt');
});

const unavailable = { code: 'unavailable', detail: 'The database did not answer.' };

const unknown = { code: 'user_not_found', detail: 'There is no such user.' };

/** Ids with `same` are unchanged, those with `gone` fail, and the service does not say what became of those with `lost`. */
function outcomes({ body }: SeenRequest): StubReply {
  const { userIds } = body as { readonly userIds: readonly string[] };
  const items = userIds.map((userId): BulkOutcome => {
    if (userId.includes('lost')) return { userId, outcome: 'failed', problem: unavailable };
    if (userId.includes('gone')) return { userId, outcome: 'failed', problem: unknown };
    return { userId, outcome: userId.includes('same') ? 'unchanged' : 'changed' };
  });
  return { body: { items } };
}

const setAll = (userIds: readonly string[]) => {
  writeFileSync(file, userIds.join('\n'));
  return runCli(['access', 'set', '--users-file', file, 'billing', 'disabled'], { url: stub.url });
};

test('a bulk shows its id and the command that undoes it, for the service that was called', async () => {
  const { stderr } = await setAll(['ada', 'grace']);
  const [bulkId] = stub.requests.map(({ body }) => (body as { readonly bulkId: string }).bulkId);
  const undo = `${programOfRunCli} bulk undo ${bulkId} --app billing --url ${stub.url}`;
  expect(stderr).toContain(`Bulk: ${bulkId}\nUndo with: ${undo}\n`);
});

test('only what may have changed is offered to be undone', async () => {
  expect((await setAll(['same-1', 'gone-1'])).stderr).not.toContain('Undo with');
  const lost = await setAll(['lost-1']);
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('Undo with')]);
});

test('a resumed run, of which an earlier answer may have been lost, is offered to be undone', async () => {
  const userIds = Array.from({ length: 200 }, (_, n) => `same-${n}`);
  stub.on(route, outcomes, problem('application_not_found', 'There is no such application.'), outcomes);
  expect((await setAll(userIds)).code).toBe(4);
  const resumed = await setAll(userIds);
  expect([resumed.code, resumed.stdout]).toEqual([0, '200 users: 0 changed, 200 unchanged, 0 failed.\n']);
  expect(resumed.stderr).toContain('Undo with');
});
