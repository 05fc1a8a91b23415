import { expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { page } from './sent-request.ts';
import { access, change, user } from './views.ts';

const { stub, place } = describeStub();

const address = 'ada@example.com';
const found = (...ids: readonly string[]) =>
  stub.on('POST /user-names', {
    body: { items: [{ name: address, users: ids.map((userId) => ({ ...user, userId, email: address })) }] },
  });
const run = (line: string) => runHere(line.split(' '), { cwd: place.folder });
const routes = () => stub.requests.map(({ route }) => route);

test.each([
  [`users show ${address}`, 'GET /users/u-1', user],
  [`users set-status ${address} inactive`, 'PUT /users/u-1/status', user],
  [`access show ${address}`, 'GET /users/u-1/access', page(access)],
  [`access set ${address} billing disabled`, 'PUT /users/u-1/access/billing', access],
  [`history user ${address}`, 'GET /users/u-1/changes', page(change('1'))],
  [`history --user ${address}`, 'GET /changes', page(change('1'))],
])('%s is about the user with the address, who is named', async (line, route, answer) => {
  found('u-1');
  stub.on(route, { body: answer });
  stub.on('GET /applications', { body: { items: [], cursor: null } });
  const { code, stderr } = await run(line);
  expect([code, stderr]).toEqual([0, `${address} is the user Ada Lovelace (u-1).\n`]);
  expect(routes().slice(0, 2)).toEqual(['POST /user-names', route]);
  if (route === 'GET /changes') expect(stub.requests[1]?.query).toBe('userId=u-1');
});

test('an address that several users have is refused, with their ids', async () => {
  found('u-1', 'u-2');
  const { code, stderr } = await run(`users delete ${address} --yes`);
  expect([code, routes()]).toEqual([1, ['POST /user-names']]);
  expect(stderr).toBe(
    `error: 2 users have the e-mail address ${address}. Name one of them by its id.\n  Ada Lovelace (u-1)\n  Ada Lovelace (u-2)\n`,
  );
});

test('an address that is an id, or that nobody has, is sent as the id', async () => {
  stub.on('GET /users/ada%40example.com', { body: { ...user, userId: address } });
  found(address);
  expect(await run(`users show ${address}`)).toMatchObject({ code: 0, stderr: '' });
  found();
  expect(await run(`users show ${address}`)).toMatchObject({ code: 0, stderr: '' });
});

test('a text that can only be an address, and that nobody has, is not found', async () => {
  stub.on('POST /user-names', { body: { items: [{ name: 'ö@x.org', users: [] }] } });
  const { code, stderr } = await run('users show ö@x.org');
  expect([code, stderr]).toEqual([4, 'error: No user has the e-mail address ö@x.org.\n']);
});

test('a user is created with the id as typed', async () => {
  stub.on('PUT /users/ada%40example.com', { status: 201, body: { ...user, userId: address } });
  expect((await run(`users create ${address}`)).code).toBe(0);
  expect(routes()).toEqual(['PUT /users/ada%40example.com']);
});
