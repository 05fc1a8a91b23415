import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type Fault, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';
import { describeCommands } from './describe-commands.ts';

const { manage, run, fileOf } = describeCommands();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
});

async function newUsers(count: number): Promise<string[]> {
  const userIds: string[] = [];
  while (userIds.length < count) userIds.push(await newUser());
  return userIds;
}
const idsOf = (userIds: readonly string[]) => fileOf('ids.txt', userIds.join('\n'));

/** Commits the first transaction of each of these users, but loses its answer, and those of the SDK's retries. */
function loseFirstAnswers(userIds: readonly string[]): Fault {
  const tokens = new Map<string, string>();
  return async ({ command, input }, send) => {
    const text = command === 'TransactWriteItemsCommand' ? JSON.stringify(input) : '';
    const userId = userIds.find((id) => text.includes(`"USER#${id}"`));
    if (userId === undefined) return send();
    const token = tokens.get(userId);
    if (token !== undefined && token !== input.ClientRequestToken) return send();
    tokens.set(userId, input.ClientRequestToken);
    if (token === undefined) await send();
    throw Object.assign(new Error('injected'), { name: 'TimeoutError' });
  };
}

/** The users with a change of the bulk whose id the command showed. */
async function changedIn(stderr: string): Promise<string[]> {
  const bulkId = /^Bulk: (.+)$/m.exec(stderr)?.[1];
  const { stdout } = await run('history', '--bulk', String(bulkId), '--all', '--json');
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).userId));
}

test('counts the changes that the history has, also those whose answer from the table was lost', async () => {
  const appId = await newApplication(['viewer']);
  const userIds = await newUsers(12);
  sdk.fault = loseFirstAnswers(userIds.filter((_, n) => n % 4 === 0));
  const { stdout, stderr } = await run('grants', 'assign', '--users-file', idsOf(userIds), appId, 'viewer');
  expect(stdout).toBe('12 users: 12 changed, 0 unchanged, 0 failed.\n');
  expect((await changedIn(stderr)).sort()).toEqual(userIds.toSorted());
});

test('counts a user who needed no change as unchanged, also after an attempt with an unknown outcome', async () => {
  const appId = await newApplication(['viewer']);
  const [given = '', other = ''] = await newUsers(2);
  await grantRole(given, appId, 'viewer');
  let failed = false;
  sdk.fault = async ({ input }, send) => {
    if (!JSON.stringify(input).includes(`"USER#${given}"`) || failed) return send();
    failed = true;
    throw Object.assign(new Error('injected'), { name: 'AbortError' });
  };
  const { stdout } = await run('grants', 'assign', '--users-file', idsOf([given, other]), appId, 'viewer');
  expect([failed, stdout]).toEqual([true, '2 users: 1 changed, 1 unchanged, 0 failed.\n']);
});

test('counts the changes of a process that was killed before it had the answers', async () => {
  const userIds = await newUsers(2);
  const file = idsOf(userIds);
  let progress: string | undefined;
  sdk.fault = async (_, send) => {
    progress ??= readFileSync(`${file}.progress`, 'utf8');
    return send();
  };
  const deactivate = () => run('users', 'set-status', '--users-file', file, 'inactive');
  await deactivate();
  writeFileSync(`${file}.progress`, progress ?? '');
  const { stdout, stderr } = await deactivate();
  expect(stdout).toBe('2 users: 2 changed, 0 unchanged, 0 failed.\n');
  expect((await changedIn(stderr)).sort()).toEqual(userIds.toSorted());
});

test('tries users again whom an earlier process was refused for', async () => {
  const [known = '', later] = [await newUser(), `later-${Date.now()}`];
  const file = idsOf([known, later]);
  let progress: string | undefined;
  sdk.fault = async (_, send) => {
    progress ??= readFileSync(`${file}.progress`, 'utf8');
    return send();
  };
  const deactivate = () => run('users', 'set-status', '--users-file', file, 'inactive');
  expect((await deactivate()).stdout).toContain('2 users: 1 changed, 0 unchanged, 1 failed.');
  await manage('iam', 'PUT', `/users/${later}`, { body: {} });
  const refused = { userId: later, outcome: 'failed', problem: { code: 'user_not_found', detail: '' } };
  writeFileSync(`${file}.progress`, `${progress}${JSON.stringify([refused])}\n`);
  expect((await deactivate()).stdout).toBe('2 users: 2 changed, 0 unchanged, 0 failed.\n');
});
