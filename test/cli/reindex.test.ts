import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, type StubService, startStub } from './stub-service.ts';

let stub: StubService;
let place: ReturnType<typeof makeStubFolder>;
beforeAll(async () => {
  stub = await startStub();
  place = makeStubFolder(stub.url);
});
beforeEach(() => stub.reset());
afterAll(async () => {
  place.remove();
  await stub.close();
});

describe('users reindex', () => {
  const route = 'POST /search-index';

  test('repairs all users page by page, and prints its progress', async () => {
    const pages = Array.from({ length: 11 }, (_, n) => ({ checked: 100, changed: n, cursor: `c${n}` }));
    const bodies = [...pages, { checked: 7, changed: 0, cursor: null }];
    stub.on(route, ...bodies.map((body) => ({ body })));
    const { stdout, stderr, code } = await runHere(['users', 'reindex', '--json'], { cwd: place.folder });
    expect(stub.requests.map(({ query }) => query)).toEqual(
      [undefined, ...pages.map(({ cursor }) => cursor)].map((cursor) =>
        cursor === undefined ? 'limit=100' : `limit=100&cursor=${cursor}`,
      ),
    );
    expect([code, JSON.parse(stdout)]).toEqual([0, { checked: 1107, changed: 55 }]);
    expect(stderr).toBe(`Deployment: local, ${stub.url}\nChecked 1,000 users, repaired 45. Continuing …\n`);
  });

  test('says how to continue after a failure', async () => {
    stub.on(route, { body: { checked: 100, changed: 1, cursor: 'abc' } }, problem('internal', 'Broken.'));
    const { stderr, code } = await runHere(['users', 'reindex'], { cwd: place.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Continue with: users reindex --cursor abc')]);
  });
});
