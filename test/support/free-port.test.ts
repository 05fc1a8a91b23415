import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort } from './free-port.ts';

test('a free port is given once, and is none that the system gives to others', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a port at which somebody listens is left out', async () => {
  const before = await freePort();
  const server = createServer().listen(before + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort()).not.toBe(before + 1);
  await once(server.close(), 'close');
});
