import { expect, jest, test } from '@jest/globals';
import { type FindUsers, readUserIds } from '../../cli/bulk/read-users.ts';

const noLookup: FindUsers = async () => {
  throw new Error('Nothing is looked up.');
};
const idsIn = (content: string, findUsers = noLookup) => readUserIds(content, 'ids.txt', findUsers);

test('reads one id per line, without comments, blank lines, Windows line endings and duplicates', async () => {
  const content = '\ufeff# staff\r\nada\r\n\r\n  auth0|123  # by name\ngrace\nada\n';
  expect(await idsIn(content)).toEqual(['ada', 'auth0|123', 'grace']);
});

test('reads several ids of a line, and the column of a table', async () => {
  expect(await idsIn('mei; omar; priya\nada\tgrace, alan\n')).toEqual(['mei', 'omar', 'priya', 'ada', 'grace', 'alan']);
  expect(await idsIn('name,userId\n"King, Ada",ada\nGrace,grace\n')).toEqual(['ada', 'grace']);
});

test('takes a line for one id if a user has it, and otherwise for several', async () => {
  const findUsers = jest.fn<FindUsers>(async () => new Map([['uid=ada,ou=x', ['uid=ada,ou=x']]]));
  expect(await idsIn('uid=ada,ou=x\nmei;omar\ngrace\n', findUsers)).toEqual(['uid=ada,ou=x', 'mei', 'omar', 'grace']);
  expect(findUsers.mock.calls).toEqual([[['uid=ada,ou=x', 'mei;omar']]]);
});

const mistakes = (notes: readonly unknown[]) =>
  expect.objectContaining({
    message: 'ids.txt has lines that are neither user ids nor the e-mail address of one user. Nothing was sent.',
    notes,
    exitCode: 2,
  });

test('rejects the whole file when a line is not an id, and names the lines', async () => {
  await expect(idsIn('grace\nada,Ada Lovelace\nalan\n..')).rejects.toEqual(
    mistakes(['line 2: "ada,Ada Lovelace"', 'line 4: ".."']),
  );
});

test('takes the e-mail address of one user for the user, and rejects one of nobody or of several', async () => {
  const users = new Map([
    ['o’hara@x.org', ['u-1']],
    ['mei@x.org', ['mei']],
    ['desk@x.org', ['omar', 'priya']],
  ]);
  const findUsers = async () => users;
  expect(await idsIn('o’hara@x.org; mei@x.org\nmei\nroot@x.org', findUsers)).toEqual(['u-1', 'mei', 'root@x.org']);
  await expect(idsIn('mei\ndesk@x.org', findUsers)).rejects.toEqual(mistakes(['line 2: "desk@x.org"']));
  await expect(idsIn('mei\nadä@x.org', findUsers)).rejects.toEqual(mistakes(['line 2: "adä@x.org"']));
});

test('rejects a table that cannot be read', async () => {
  await expect(idsIn('userId,name\nada,King,Ada\n')).rejects.toMatchObject({
    message: expect.stringMatching(/^ids\.txt: Line 2 has 3 cells, .* Nothing was sent\.$/),
    exitCode: 2,
  });
});

test('names at most ten lines', async () => {
  const content = Array.from({ length: 12 }, (_, n) => `a b${n}`).join('\n');
  await expect(idsIn(content)).rejects.toEqual(mistakes(expect.arrayContaining(['and 2 more']) as never));
});
