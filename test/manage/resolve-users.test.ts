import { beforeAll, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint } from '../support/each-entry-point.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';

const service = describeService();
const manage = manageClient(() => service);
const longAddress = (end: string) => `${'l'.repeat(60)}@${'m'.repeat(60)}.${'n'.repeat(30)}.${end}`;
const people = [
  ['grace-1', 'Grace', 'Grace.Hopper@Example.org'],
  ['grace-2', 'Grace', 'grace.hopper@example.org.au'],
  ['twin-1', 'Twin', 'twin@example.org'],
  ['twin-2', 'Twin', 'twin@example.org'],
  ['twin@example.net', null, 'other@example.net'],
  ['late-1', null, longAddress('com')],
  ['late-2', null, longAddress('org')],
  ['Case', null, null],
] as const;

beforeAll(async () => {
  for (const [userId, displayName, email] of people) {
    const path = `/users/${encodeURIComponent(userId)}`;
    expect((await manage('iam', 'PUT', path, { body: { displayName, email } })).status).toBe(201);
  }
});

const named = (wanted: string) => {
  const [userId, displayName, email] = people.find(([id]) => id === wanted) ?? [];
  return { userId, displayName, email, status: 'active' };
};

describeEachEntryPoint(manage, (ask, _, once) => {
  test.each([
    ['an id', 'grace-1', ['grace-1']],
    ['an id with spaces around', '  grace-1\t', ['grace-1']],
    ['an id in another case', 'case', []],
    ['a prefix of an id', 'grace-', []],
    ['an e-mail address, in another case', 'GRACE.hopper@example.ORG', ['grace-1']],
    ['an e-mail address with a name', 'Hopper, Grace <grace.hopper@example.org>', ['grace-1']],
    ['a prefix of an e-mail address', 'grace.hopper@example', []],
    ['an e-mail address of two users', 'twin@example.org', ['twin-1', 'twin-2']],
    ['an id that is an e-mail address', 'twin@example.net', ['twin@example.net']],
    ['an e-mail address of 155 characters', longAddress('org'), ['late-2']],
    ['an unknown e-mail address', 'nobody@example.org', []],
    ['a name', 'Grace', []],
    ['two e-mail addresses', 'grace.hopper@example.org twin@example.org', []],
    ['the name of a prototype', 'constructor', []],
  ])('finds exactly the matching users by %s', async (_, name, userIds) => {
    const { status, body } = await ask('POST', '/user-names', { names: [name] });
    expect([status, body.items]).toEqual([200, [{ name, users: userIds.map(named) }]]);
  });

  once('returns the results for a hundred names in their order, including a duplicate', async () => {
    const names = Array.from({ length: 100 }, (_, n) => ['grace-1', 'nobody', 'other@example.net'][n % 3] ?? '');
    const { body } = await ask('POST', '/user-names', { names });
    const expected: Readonly<Record<string, unknown[]>> = {
      'grace-1': [named('grace-1')],
      nobody: [],
      'other@example.net': [named('twin@example.net')],
    };
    expect(body.items).toEqual(names.map((name) => ({ name, users: expected[name] })));
  });

  once('does not find a user by a changed or erased e-mail address', async () => {
    await ask('PUT', '/users/moved', { email: 'before@example.org' });
    await ask('PATCH', '/users/moved', { email: 'after@example.org' });
    const found = async (name: string) => (await ask('POST', '/user-names', { names: [name] })).body.items[0].users;
    expect(await found('before@example.org')).toEqual([]);
    expect(await found('after@example.org')).toMatchObject([{ userId: 'moved' }]);
    await ask('DELETE', '/users/moved');
    expect(await found('after@example.org')).toEqual([]);
  });

  once('refuses an empty list, more than a hundred names, and values that are not strings', async () => {
    const wrong = [[], Array.from({ length: 101 }, (_, n) => `${n}`), undefined, 'ada'];
    for (const names of wrong) expectInvalid(await ask('POST', '/user-names', { names }), '#/names');
    expectInvalid(await ask('POST', '/user-names', { names: ['ada', 1] }), '#/names/1');
  });
});
