import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';

const { stub, place } = describeStub();
/** The text on stderr before a deletion. */
let deployment: string;
beforeAll(async () => {
  deployment = `Deployment: local, ${stub.url}\n`;
});
beforeEach(() => {
  stub.on('DELETE /users/ada', { body: { changed: true, complete: true } });
});

describe('a deletion', () => {
  test('on a terminal continues when the id is typed', async () => {
    const { code, stdout, stderr } = await runHere(['users', 'delete', 'ada'], {
      cwd: place.folder,
      tty: true,
      typed: 'ada\n',
    });
    expect(stderr).toContain('This cannot be undone. Type ada to delete the user ada: ');
    expect([code, stdout]).toEqual([0, 'Deleted the user ada.\n']);
  });

  test.each(['yes\n', '\n'])('on a terminal sends nothing when %j is typed', async (typed) => {
    const { code, stderr } = await runHere(['users', 'delete', 'ada'], { cwd: place.folder, tty: true, typed });
    expect(stderr).toContain('error: The id does not match. Nothing was deleted.');
    expect([code, stub.requests]).toEqual([1, []]);
  });

  test.each(['\u0003', '\u0004'])('on a terminal sends nothing after Ctrl-C or Ctrl-D', async (typed) => {
    const { code, stderr } = await runHere(['users', 'delete', 'ada'], { cwd: place.folder, tty: true, typed });
    expect(stderr).toContain('error: Nothing was deleted.');
    expect([code, stub.requests]).toEqual([130, []]);
  });

  test('without a terminal requires --yes', async () => {
    const refused = await runHere(['users', 'delete', 'ada'], { cwd: place.folder });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes.') });
    expect(stub.requests).toEqual([]);
    const done = await runHere(['users', 'delete', 'ada', '--yes'], { cwd: place.folder });
    expect(done).toEqual({ code: 0, stdout: 'Deleted the user ada.\n', stderr: deployment });
  });

  test('is sent again under its Idempotency-Key until it is complete, and says what it waits for', async () => {
    const waiting = { status: 202, body: { changed: true, complete: false } };
    const route = 'DELETE /applications/billing';
    const waitingLonger = { ...waiting, headers: { 'retry-after': '3' } };
    stub.on(route, waiting, waitingLonger, { body: { changed: true, complete: true } });
    const args = ['apps', 'delete', 'billing', '--force', '--yes', '--json'];
    const startedAt = Date.now();
    const { stdout, stderr } = await runHere(args, { cwd: place.folder });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(4000);
    expect(stub.requests.map(({ query }) => query)).toEqual(Array(3).fill('force=true'));
    expect(new Set(stub.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ changed: true, complete: true });
    expect(stderr).toBe(
      `${deployment}Still deleting the application billing: waiting for running requests to finish …\n`,
    );
  });

  test('that was waiting can still be refused', async () => {
    const waiting = { status: 202, body: { changed: false, complete: false } };
    const refusal = problem('role_in_use', 'Users hold the role.');
    stub.on('DELETE /applications/billing/roles/editor', waiting, refusal);
    const { code, stderr } = await runHere(['roles', 'delete', 'billing', 'editor', '--yes'], { cwd: place.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: Users hold the role. (role_in_use)')]);
  });

  test('of something that does not exist succeeds', async () => {
    stub.on('DELETE /applications/billing/roles/editor', { body: { changed: false, complete: true } });
    const { code, stdout } = await runHere(['roles', 'delete', 'billing', 'editor', '--yes'], { cwd: place.folder });
    expect([code, stdout]).toEqual([0, 'Nothing to delete: the role editor of billing.\n']);
  });

  test('that is refused because of users suggests --force', async () => {
    stub.on('DELETE /applications/billing', problem('application_in_use', 'Users have roles in it.'));
    const { code, stderr } = await runHere(['apps', 'delete', 'billing', '--yes'], { cwd: place.folder });
    expect([code, stderr]).toEqual([
      1,
      `${deployment}error: Users have roles in it. (application_in_use)\n  Add --force to delete it anyway.\n  request id: req-1\n`,
    ]);
  });
});
