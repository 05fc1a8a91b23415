import { expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';

const { stub, place } = describeStub();

/** The exit code, and the error on the last line of stderr; nothing is on stdout. */
async function failure(line: string, cwd = place.folder) {
  const { code, stdout, stderr } = await runHere(line.split(' '), { cwd });
  expect(stdout).toBe('');
  return { code, error: JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') };
}

test('with --json, an error has the members of the problem document and the exit code', async () => {
  stub.on('GET /users/nobody', problem('user_not_found', 'There is no such user.'));
  const { code, error } = await failure('users show nobody --json');
  expect([code, error]).toEqual([
    4,
    {
      code: 'user_not_found',
      title: expect.any(String),
      detail: 'There is no such user.',
      status: 404,
      requestId: expect.any(String),
      notes: [expect.stringContaining('users find'), expect.stringContaining('request id')],
      exitCode: 4,
    },
  ]);
});

test('an invalid request names its fields', async () => {
  const errors = [{ pointer: '#/name', detail: 'must not be empty' }];
  const { body, ...rest } = problem('invalid_request', 'Correct it.');
  stub.on('PATCH /applications/billing', { ...rest, body: { ...Object(body), errors } });
  expect((await failure('apps rename billing x --json')).error).toMatchObject({ code: 'invalid_request', errors });
});

test('an error that the service did not write has a separate code', async () => {
  stub.on('GET /users/ada', { hangUp: true });
  expect(await failure('users show ada --json')).toMatchObject({ code: 3, error: { code: 'no_answer', exitCode: 3 } });
  const unconfigured = await failure('users show ada --json', '/');
  expect(unconfigured).toMatchObject({ code: 2, error: { code: 'not_sent', title: 'No service is configured.' } });
});

test.each([
  ['an unknown option', 'users show ada --nonsense --json'],
  ['an unknown command', 'nonsense --json'],
  ['a missing argument', '--json users show'],
  ['an invalid argument', '--json users show a/b'],
])('a command line with %s is also reported as JSON, and only once', async (_, line) => {
  const { stderr } = await runHere(line.split(' '), { cwd: place.folder });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'not_sent', exitCode: 2 });
});

test('without --json an error is text', async () => {
  const { stderr } = await runHere(['users', 'show', 'a/b'], { cwd: place.folder });
  expect(stderr).toMatch(/^error: /);
});
