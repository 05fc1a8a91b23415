import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { checkGroupChanges, checkUserChanges } from '../support/scim-fuzz.ts';
import type { ScimAnswer, WrittenItem } from '../support/scim-in-memory.ts';

const run = promisify(execFile);
const whole = { id: 'target', userName: 'target', active: true, displayName: 'T', emails: [{ value: 'x' }] };
const titleChange = ['PATCH', { Operations: [{ op: 'replace', path: 'title', value: 'X' }] }] as const;
const own = { pk: 'USER#target', sk: 'ACCOUNT', before: {}, after: { userId: 'target' } };
const foreign = { pk: 'USER#ada', sk: 'ACCOUNT', before: {}, after: { userId: 'ada' } };

/** A directory that answers a change like this, and has such a user afterwards. */
function directoryWith(change: ScimAnswer, after: object, written: readonly WrittenItem[]) {
  let isChanged = false;
  return {
    ask: async (method: string): Promise<ScimAnswer> => {
      if (method === 'GET') return { status: 200, body: isChanged ? after : whole };
      isChanged = true;
      return change;
    },
    takeWritten: () => (isChanged ? written : []),
  };
}

test.each([
  ['an attribute changes that the body does not name', 200, { ...whole, displayName: 'Y', title: 'X' }, [own]],
  ['an item of another user is written', 200, { ...whole, title: 'X' }, [own, foreign]],
  ['a refused body is written', 400, whole, [own]],
  ['the answer is an error of the service', 500, whole, []],
])('the check of a body fails if %s', async (_, status, after, written) => {
  const isAccepted = await checkUserChanges(directoryWith({ status, body: after }, after, written));
  await expect(isAccepted(titleChange)).rejects.toThrow('title');
});

test.each([
  [true, 200, { ...whole, title: 'X' }, [own]],
  [false, 400, whole, []],
])('a body that changes only what it names, or is refused without an effect, passes: accepted %s', async (...given) => {
  const [isExpected, status, after, written] = given;
  const isAccepted = await checkUserChanges(directoryWith({ status, body: after }, after, written));
  expect(await isAccepted(titleChange)).toBe(isExpected);
});

test('the check of a group fails if a member leaves whom the body does not name', async () => {
  const ask = async (method: string): Promise<ScimAnswer> => {
    if (method === 'GET') return { status: 200, body: { members: [{ value: 'grace' }] } };
    return { status: method === 'PATCH' ? 204 : 201, body: { id: 'group' } };
  };
  const removesMember = await checkGroupChanges({ ask });
  const body = { Operations: [{ op: 'remove', path: 'members[value eq "ada"]' }] };
  await expect(removesMember(body)).rejects.toThrow('alan');
});

/** The command `npm run fuzz:scim`, which sends 100,000 bodies unless it is given fewer. */
async function fuzz(...options: readonly string[]) {
  const script = join(import.meta.dirname, 'fuzz-scim.ts');
  const { stdout, stderr } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...options]);
  return [stderr.split('\n')[0], stdout.replace(/in \d+ s/, '')];
}

test('none of 2,500 bodies changes what it does not name, or anybody else', async () => {
  expect(await fuzz('--bodies', '2500')).toEqual([
    expect.stringMatching(/^Seed \d+$/),
    expect.stringContaining('2500 of 2500 bodies'),
  ]);
});

test('a run of the fuzz test states its seed, which repeats it', async () => {
  const same = ['--seed', '7', '--bodies', '100'];
  const [first, second] = await Promise.all([fuzz(...same), fuzz(...same)]);
  expect(first).toEqual(['Seed 7', expect.stringContaining('100 of 100 bodies')]);
  expect(second).toEqual(first);
});
