import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findFreePort, listenOn } from '../../local/listen.ts';
import { runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, type StubService, startStub } from './stub-service.ts';
import { app, user } from './views.ts';

let stub: StubService;
const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
beforeAll(async () => {
  stub = await startStub();
});
beforeEach(() => stub.reset());
afterAll(async () => {
  await stub.close();
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** A server that accepts connections, counts requests, and sends this much of an answer to each. */
async function startHalf(answer: string): Promise<{ readonly url: string; readonly asked: () => number }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', () => {
      count += 1;
      socket.write(answer);
    });
  });
  servers.push({ server, sockets });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, asked: () => count };
}

/** Runs a command in this process, and measures the seconds that it took. */
async function timedHere(line: string, url: string) {
  const place = makeStubFolder(url);
  const startedAt = Date.now();
  const { code, stderr } = await runHere(line.split(' '), { cwd: place.folder });
  place.remove();
  return { code, stderr, seconds: (Date.now() - startedAt) / 1000 };
}

const halfOfAnswer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{"userId":';

describe('without --timeout', () => {
  test('a service that does not answer is given up after one attempt, and one that is busy is not', async () => {
    stub.on('DELETE /users/ada', ({ route }) => ({
      body: { changed: true, complete: true, route },
      after: pause(10_000),
    }));
    stub.on('GET /operator', { body: {} });
    const halves = await Promise.all([startHalf(''), startHalf(''), startHalf(halfOfAnswer)]);
    const [silent, deleting, half, busy] = await Promise.all([
      timedHere('users show ada', halves[0].url),
      timedHere('users delete ada --yes', halves[1].url),
      timedHere('users show ada', halves[2].url),
      timedHere('users delete ada --yes', stub.url),
    ]);
    for (const { code, stderr } of [silent, deleting, half]) {
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining(': no answer within 8 s\n  Check that the service runs'),
      ]);
    }
    expect(halves.map(({ asked }) => asked())).toEqual([2, 2, 2]);
    expect([busy.code, busy.seconds > 10]).toEqual([0, true]);
  });

  test('a service that has stopped, and a name that does not exist, are reported with what to do', async () => {
    const [refused, unknown] = await Promise.all([
      runCli(['apps', 'list'], { url: `http://127.0.0.1:${await findFreePort()}` }),
      runCli(['apps', 'list'], { url: 'https://nowhere.invalid' }),
    ]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/ECONNREFUSED.*\n {2}Check the URL\.\n$/),
    ]);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringMatching(/nowhere\.invalid\n {2}Check the URL, and that/),
    ]);
  });
});

describe('with --timeout', () => {
  test('a request is given up after that time, is not repeated, and the error says so', async () => {
    stub.on('PUT /users/ada', { body: user, after: new Promise(() => undefined) });
    stub.on('GET /operator', { body: {} });
    const { code, stderr } = await timedHere('users create ada --timeout 1', stub.url);
    expect([code, stderr]).toEqual([3, expect.stringContaining('no answer within 1 s\n')]);
    expect(stub.requests.filter(({ route }) => route === 'PUT /users/ada')).toHaveLength(1);
  });

  test('a broken connection is not retried after that time', async () => {
    stub.on('GET /users/ada', () => ({ hangUp: true, after: pause(950) }));
    stub.on('GET /operator', { after: pause(3000) });
    expect((await timedHere('users show ada --timeout 1', stub.url)).code).toBe(3);
    expect(stub.requests.filter(({ route }) => route === 'GET /users/ada')).toHaveLength(1);
  });

  test('each request has that time, however long the command runs', async () => {
    const page = (cursor: string | null) => () => ({ body: { items: [app], cursor }, after: pause(900) });
    stub.on('GET /applications', page('a'), page('b'), page('c'), page(null));
    const { code, seconds } = await timedHere('apps list --all --timeout 2', stub.url);
    expect([code, seconds > 3]).toEqual([0, true]);
  });

  test('an answer that asks for a retry starts the time again', async () => {
    const later = { ...problem('too_many_requests', 'Later.'), headers: { 'retry-after': '1' } };
    stub.on('GET /users/ada', later, later, later, { body: user });
    expect((await timedHere('users show ada --timeout 3', stub.url)).code).toBe(0);
  });

  test('AUTH_SERVICE_TIMEOUT is its default', async () => {
    stub.on('GET /users/ada', { after: new Promise(() => undefined) });
    stub.on('GET /operator', { body: {} });
    const env = { AUTH_SERVICE_TIMEOUT: '1' };
    const { code, stderr } = await runCli(['users', 'show', 'ada'], { url: stub.url, env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('no answer within 1 s\n')]);
  });

  test.each(['0', '601', '1.5', 'long'])('%s is refused', async (text) => {
    const { code, stderr } = await runCli(['apps', 'list', '--timeout', text], { url: stub.url });
    expect([code, stub.requests]).toEqual([2, []]);
    expect(stderr).toContain('It must be a whole number from 1 to 600.');
  });
});
