import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeService } from '#test/support/describe-service.ts';
import { type ConnectedDirectory, connectDirectory } from '../support/ask-scim.ts';
import { checkGroupChanges, checkUserChanges, createTargets, groupChange, userChange } from '../support/scim-fuzz.ts';

/** The same in each run, so that as many are accepted: `scim-fuzz.test.ts` sends ten times as many, others each time, in memory. */
const bodies = 200;
const seed = 1;
const service = describeService();
let directory: ConnectedDirectory;
beforeAll(async () => {
  directory = await connectDirectory(service);
  await createTargets(directory);
});

/** All items that do not belong to the target, nor only list or count users. */
async function others(): Promise<Map<string, unknown>> {
  const items = [...(await service.items())].filter(([key, item]) => !JSON.stringify([key, item]).includes('target'));
  return new Map(items.filter(([key]) => !/^(?:USERS|FIND#|FORMAT|SCIM#\S+#ACTIVITY)/.test(key)));
}

test('no body changes what it does not name, or anybody else', async () => {
  const untouched = await others();
  const isAccepted = await checkUserChanges(directory);
  let accepted = 0;
  for (const change of fc.sample(userChange, { numRuns: bodies, seed })) accepted += Number(await isAccepted(change));
  // Otherwise hardly anything was tried.
  expect(accepted).toBeGreaterThan(bodies / 10);
  expect(await others()).toEqual(untouched);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('no body removes a member that it does not name, unless it names all', async () => {
  const removesMember = await checkGroupChanges(await connectDirectory(service, { takeover: 'matching' }));
  let removed = 0;
  for (const body of fc.sample(groupChange, { numRuns: bodies / 2, seed }))
    removed += Number(await removesMember(body));
  expect(removed).toBeGreaterThan(0);
});
