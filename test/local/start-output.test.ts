import { setTimeout as wait } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { createLineWriter, printWelcome } from '../../local/start-output.ts';

test('lines logged at the same time are written together, in order and without loss', async () => {
  const texts: string[] = [];
  const write = createLineWriter((text) => texts.push(text));
  for (const line of ['one', 'two', 'three']) write(line);
  expect(texts).toEqual([]);
  await wait(100);
  write('four');
  await wait(100);
  expect(texts).toEqual(['one\ntwo\nthree\n', 'four\n']);
});

test('the welcome fits a screen, with a line for each thing that options run', () => {
  const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const urls = { url: 'http://127.0.0.1:1', manageUrl: 'http://127.0.0.1:2', issuer: 'http://127.0.0.1:3' };
  const stack = { ...urls, dashboardUrl: undefined };
  const key = { accessKeyId: 'a', secretAccessKey: 'b', keyId: 'svk_k1_billing_a', secret: 'svs_test' };
  const names = { baseUrl: urls.url, appId: 'billing', userIds: ['ada'], roles: [], region: 'local' };
  const example = { ...urls, ...key, ...names, audience: 'dashboard', clientId: 'dashboard' };
  const lines = [
    ['Login', 'http://127.0.0.1:4'],
    ['Example app', 'http://127.0.0.1:5'],
  ] as const;
  const welcome = { stack, example, lines, now: new Date() };
  printWelcome({ ...welcome, exampleFile: '../data/example.json' });
  printWelcome({ ...welcome, exampleFile: '.local/example.json' });
  const [[text] = [], [usual] = []] = print.mock.calls;
  print.mockRestore();
  expect(text).toMatch(/^AUTH_SERVICE_LOCAL='\.\.\/data' npm run -s manage -- access set ada billing disabled/m);
  expect(usual).toMatch(/^npm run -s manage -- access set ada billing disabled/m);
  expect(text).toMatch(/^Example {7}application.*\nLogin {9}http:\S+:4\nExample app {3}http:\S+:5\n\nAsk whether ada/m);
  // Above it are two lines of progress, and below it the one that says that all is ready.
  expect(String(text).split('\n').length).toBeLessThanOrEqual(24 - 3);
});
