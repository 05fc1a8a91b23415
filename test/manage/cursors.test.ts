import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeService } from '../support/describe-service.ts';
import { type Ask, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { entryPoints, manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { withQuery } from '../support/read-pages.ts';

const service = describeService();
const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });

/** Every list of every resource, with each filter; each has at least two items, so that its first page has a cursor. */
const lists = [
  '/applications',
  '/applications/one/keys',
  '/applications/two/keys',
  '/applications/one/roles',
  '/applications/two/roles',
  '/applications/one/roles/editor/users',
  '/applications/one/roles/viewer/users',
  '/applications/one/users',
  '/applications/two/users',
  '/applications/one/users?status=disabled',
  '/applications/one/users?status=enabled',
  '/applications/one/changes',
  '/applications/two/changes',
  '/applications/one/changes?after=',
  '/users',
  '/users?prefix=user-',
  '/users?q=user',
  '/users?q=user+1',
  '/users?status=active',
  '/users?status=inactive',
  '/users/user-10/access',
  '/users/user-11/access',
  '/users/user-10/changes',
  '/users/user-11/changes',
] as const;
type List = (typeof lists)[number];

const cursors = new Map<List, string>();
beforeAll(async () => {
  const userIds = ['user-10', 'user-11', 'user-12', 'user-20', 'user-21', 'user-22'];
  for (const userId of userIds) await newUser(userId);
  for (const appId of ['one', 'two']) {
    await newApplication(['editor', 'viewer'], appId);
    for (const userId of userIds.slice(0, 3)) {
      await grantRole(userId, appId, 'editor');
      await grantRole(userId, appId, 'viewer');
    }
    for (const userId of userIds.slice(3)) await setStatus(userId, appId, 'disabled');
    for (let n = 0; n < 3; n++) await service.issueKey(appId, ['access:read']);
  }
  for (const userId of ['user-12', 'user-22']) {
    await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
  }
  for (const list of lists) cursors.set(list, await cursorOf(list));
});

async function cursorOf(list: List): Promise<string> {
  const { body } = await ask('GET', withQuery(list, { limit: '1' }));
  expect([list, body.items.length, typeof body.cursor]).toEqual([list, 1, 'string']);
  return body.cursor;
}

const parameterOf = (list: List) => (list.endsWith('after=') ? 'after' : 'cursor');

/** The path of the list after a cursor, valid or not. */
function pathFrom(list: List, cursor: string, limit = 100): string {
  if (list.endsWith('after=')) return `${list}${encodeURIComponent(cursor)}&limit=${limit}`;
  return withQuery(list, { cursor, limit: String(limit) });
}

describe('a cursor', () => {
  test.each(lists)('the cursor of %s continues after its item', async (list) => {
    const { body: all } = await ask('GET', withQuery(list, { limit: '100' }));
    const { status, body: rest } = await ask('GET', pathFrom(list, cursors.get(list) ?? ''));
    expect([status, rest.items]).toEqual([200, all.items.slice(1)]);
  });

  test.each(lists)('the cursor of %s is refused by every other list', async (list) => {
    const others = lists.filter((other) => other !== list);
    const answers = await Promise.all(others.map((other) => ask('GET', pathFrom(other, cursors.get(list) ?? ''))));
    const taken = others.filter((_, n) => answers[n]?.status === 200);
    expect(taken).toEqual([]);
    for (const [n, answer] of answers.entries()) expectInvalid(answer, `query:${parameterOf(others[n] as List)}`);
  });
});

describe.each(entryPoints)('400 through the entry point %s for an invalid cursor:', (entryPoint) => {
  const half = (cursor: string) => cursor.slice(0, cursor.length / 2);
  const damages: [string, (cursor: string) => string][] = [
    ['cut at its end', (cursor) => cursor.slice(0, -1)],
    ['cut at its beginning', (cursor) => cursor.slice(1)],
    ['cut in half', half],
    ['repeated', (cursor) => cursor + cursor],
    ['followed by more characters', (cursor) => `${cursor}AAAA`],
    ['padded', (cursor) => `${cursor}=`],
    ['padded in full', (cursor) => `${cursor}==`],
    ['in lower case', (cursor) => cursor.toLowerCase()],
    ['between spaces', (cursor) => ` ${cursor} `],
    ['after a line break', (cursor) => `\n${cursor}`],
    ['of one character', () => 'A'],
    ['of zeros', () => '\0\0\0\0'],
    ['a word', () => 'cursor'],
    ['a number', () => '25'],
    ['null', () => 'null'],
    ['not ASCII', () => 'Grüße'],
    ['the base64 of JSON', () => Buffer.from('["USER","USER#ada","USER"]').toString('base64url')],
    ['the JSON of a key', () => '{"pk":"USER#ada","sk":"USER"}'],
    ['very long', () => 'A'.repeat(5000)],
    ['very long, with the cursor in front', (cursor) => cursor.padEnd(5000, 'A')],
  ];

  test.each(inTurns(entryPoint, damages))('refuses a cursor that is %s', async (_, damage) => {
    for (const list of [
      '/applications/one/users',
      '/applications/one/changes?after=',
      '/applications/one/keys',
    ] as const) {
      const answer = await manage(entryPoint, 'GET', pathFrom(list, damage(cursors.get(list) ?? '')));
      expectInvalid(answer, `query:${parameterOf(list)}`);
    }
  });

  test('refuses an empty cursor for every list except the history from its beginning', async () => {
    for (const list of lists.filter((one) => parameterOf(one) === 'cursor')) {
      expectInvalid(await manage(entryPoint, 'GET', withQuery(list, { cursor: '' })), 'query:cursor');
    }
  });

  test('refuses a cursor combined with after', async () => {
    const both = `/applications/one/changes?after=${cursors.get('/applications/one/changes?after=')}`;
    const answer = await manage(
      entryPoint,
      'GET',
      withQuery(both, { cursor: cursors.get('/applications/one/changes') ?? '' }),
    );
    expectInvalid(answer, 'query:cursor');
  });
});

test('refuses a damaged cursor', async () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  const place = fc.nat({ max: 500 });
  const damage = fc.oneof(
    fc.tuple(place, fc.constantFrom(...alphabet)).map(([at, letter]) => (cursor: string) => {
      const index = at % cursor.length;
      return cursor.slice(0, index) + letter + cursor.slice(index + 1);
    }),
    fc.tuple(place, place).map(([from, to]) => (cursor: string) => {
      const start = from % cursor.length;
      return cursor.slice(0, start) + cursor.slice(start + 1 + (to % 20));
    }),
    fc.tuple(place, fc.base64String({ minLength: 4 })).map(([at, text]) => (cursor: string) => {
      const index = at % cursor.length;
      return cursor.slice(0, index) + text + cursor.slice(index);
    }),
    fc.string({ minLength: 1 }).map((text) => () => text),
  );
  const property = fc.asyncProperty(fc.constantFrom(...lists), damage, async (list, damaged) => {
    const cursor = cursors.get(list) ?? '';
    fc.pre(damaged(cursor) !== cursor && damaged(cursor).isWellFormed() && damaged(cursor) !== '');
    expectInvalid(await ask('GET', pathFrom(list, damaged(cursor))), `query:${parameterOf(list)}`);
  });
  await fc.assert(property, { numRuns: 60 });
});

describe('a forged cursor with a correct checksum cannot leave its list:', () => {
  /** What the checksum of a cursor covers in addition to its position: index, partition, prefix, direction, filter. */
  const bindings: [List, unknown[]][] = [
    ['/applications', ['gsi1', 'APPS', null, null, null]],
    ['/applications/one/roles', [null, 'APP#one', 'ROLE#', null, null]],
    ['/applications/one/roles/editor/users', [null, 'APP#one#ROLE#editor', null, null, null]],
    ['/applications/one/users', ['gsi1', 'APP#one#USERS', null, null, null]],
    ['/applications/one/users?status=disabled', ['gsi1', 'APP#one#USERS', null, null, 'disabled']],
    ['/applications/one/changes', ['changes of', 'one', true]],
    ['/applications/one/changes?after=', ['changes of', 'one', false]],
    ['/users', [null, 'USERS', null, null, null]],
    ['/users?prefix=user-', [null, 'USERS', 'user-', null, null]],
    ['/users?q=user', [null, 'FIND#us', 'user', null, '["user",null]']],
    ['/users/user-10/changes', [null, 'USER#user-10', 'CHANGE#', true, null]],
  ];

  function forge(binding: unknown[], text: string): string {
    const bytes = createHash('sha256')
      .update(`${JSON.stringify(binding)}\n${text}`)
      .digest()
      .subarray(0, 12);
    return Buffer.concat([bytes, Buffer.from(text)]).toString('base64url');
  }

  const textOf = (cursor: string) => Buffer.from(cursor, 'base64url').subarray(12).toString();

  const keys = fc.oneof(
    fc.constantFrom('USER', 'APP', 'USERS', 'APPS', 'USER#ada', 'USER#user-11', 'APP#two', 'APP#two#USERS', 'NONCE'),
    fc.constantFrom('ROLE#', 'ROLE#viewer', 'CHANGE#', 'CHANGE#0', 'CHANGE#Z', 'ACCESS#one', 'enabled#', 'disabled#z'),
    fc.constantFrom('user-1', 'user-10', 'user-', '~', '!', 'one', 'two', 'two#USERS'),
    fc.string({ minLength: 1, maxLength: 40 }),
  );

  test.each(bindings)('a forged cursor with a correct checksum cannot read outside %s', async (list, binding) => {
    const original = cursors.get(list) ?? '';
    // Proves that the test creates cursors as the service does.
    expect(forge(binding, textOf(original))).toBe(original);
    const { body: all } = await ask('GET', withQuery(list, { limit: '100' }));
    const property = fc.asyncProperty(fc.tuple(keys, keys, keys), async (position) => {
      const answer = await ask('GET', pathFrom(list, forge(binding, JSON.stringify(position))));
      expect([200, 400]).toContain(answer.status);
      for (const item of answer.body.items ?? []) expect(all.items).toContainEqual(item);
    });
    await fc.assert(property, { numRuns: 10 });
  });

  test.each([
    '',
    'null',
    '{}',
    '[]',
    '["a"]',
    '["a","b"]',
    '["a","b","c","d"]',
    '["a","b",1]',
    '["","b","c"]',
    '[["a"],"b","c"]',
  ])('refuses a forged cursor that contains %s', async (text) => {
    expectInvalid(await ask('GET', pathFrom('/users', forge([null, 'USERS', null, null, null], text))), 'query:cursor');
  });
});
