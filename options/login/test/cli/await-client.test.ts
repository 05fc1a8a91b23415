import { expect, test } from '@jest/globals';
import { CliError } from '#cli/terminal/cli-error.ts';
import { awaitClient, requireClient } from '../../cli/await-client.ts';
import type { LoginView } from '../../contract/login.ts';
import { exampleLogin } from '../login-views.ts';

const pending = { ...exampleLogin, clientId: null };
const refused = { ...exampleLogin, error: 'The address is reserved.' };
const patience = { patienceMilliseconds: 200, intervalMilliseconds: 1 };

/** Answers these logins in turn, the last one again and again, and counts how often it was asked. */
function answering(...logins: readonly [LoginView, ...LoginView[]]) {
  let count = 0;
  const read = async () => logins[Math.min(count++, logins.length - 1)] ?? logins[0];
  return { read, asked: () => count };
}

test('a client that is there is not waited for', async () => {
  const { read, asked } = answering(exampleLogin);
  expect(await awaitClient({ ...exampleLogin, changed: true }, read, patience)).toMatchObject(exampleLogin);
  expect(asked()).toBe(0);
});

test('a login is read until its client is there', async () => {
  const { read, asked } = answering(pending, pending, exampleLogin);
  expect(await awaitClient({ ...pending, changed: true }, read, patience)).toEqual(exampleLogin);
  expect(asked()).toBe(3);
});

test('a login is read until the provider refuses it', async () => {
  const { read, asked } = answering(pending, refused);
  expect(await awaitClient({ ...pending, changed: true }, read, patience)).toEqual(refused);
  expect(asked()).toBe(2);
});

test('the error of an earlier change is not taken for that of this one', async () => {
  const { read } = answering(refused, exampleLogin);
  expect(await awaitClient({ ...refused, changed: true }, read, patience)).toEqual(exampleLogin);
});

test('an unchanged login keeps its error', async () => {
  const { read, asked } = answering(exampleLogin);
  expect(await awaitClient({ ...refused, changed: false }, read, patience)).toMatchObject(refused);
  expect(asked()).toBe(0);
});

test('waiting ends after its time', async () => {
  const { read } = answering(pending);
  const startedAt = Date.now();
  expect(await awaitClient({ ...pending, changed: true }, read, patience)).toEqual(pending);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test.each([
  ['refused', refused, 1, 'The provider refused the login: The address is reserved.'],
  ['not set up in time', pending, 3, 'the provider has not set up its client yet'],
] as const)('a login that was %s fails the command', (_, login, exitCode, words) => {
  const failing = () => requireClient(login);
  expect(failing).toThrow(CliError);
  expect(failing).toThrow(expect.objectContaining({ exitCode, message: expect.stringContaining(words) }));
});

test('a login whose client is there does not fail the command', () => {
  expect(() => requireClient(exampleLogin)).not.toThrow();
});
