import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, type SeenRequest, type StubReply, type StubService, startStub } from './stub-service.ts';

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

/** The response to `POST /user-names`, from the status of the existing users. */
const known =
  (statuses: Readonly<Record<string, string>>) =>
  ({ body }: SeenRequest): StubReply => {
    const { names } = body as { readonly names: readonly string[] };
    const items = names.map((name) => {
      const status = statuses[name];
      return { name, users: status === undefined ? [] : [{ userId: name, displayName: null, email: null, status }] };
    });
    return { body: { items } };
  };
const importOf = (content: string, ...more: readonly string[]) => {
  const file = join(mkdtempSync(join(place.folder, 'import-')), 'people.csv');
  writeFileSync(file, content);
  return runHere(['users', 'import', file, ...more], { cwd: place.folder });
};
const writes = () =>
  stub.requests
    .filter(({ route, query }) => route !== 'POST /user-names' && query !== 'dryRun=true')
    .filter(({ body }) => (body as { dryRun?: boolean }).dryRun !== true);

test('a user deactivated after the comparison is not activated', async () => {
  stub.on('POST /user-names', known({ ada: 'active' }), known({ ada: 'inactive' }));
  const { code, stdout } = await importOf('userId,status\nada,active\n');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^ada +reactivates +.*--reactivate/m)]);
  expect(writes()).toEqual([]);
});

test('an error that affects every user is found before the first user is changed', async () => {
  stub.on('POST /user-names', known({ ada: 'active', bob: 'active' }));
  stub.on('POST /user-status', { body: { items: [{ userId: 'ada', outcome: 'changed' }] } });
  stub.on('PUT /users/new', problem('role_required', 'Requires the admin role.'));
  const { code, stderr } = await importOf('userId,status\nada,inactive\nbob,active\nnew,\n');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Requires the admin role. (role_required)')]);
  expect(writes()).toEqual([]);
});

test('an error that affects every user ends the run, and does not count as the failure of one user', async () => {
  stub.on('POST /user-names', known({}));
  stub.on('PUT /users/new', { status: 201 }, problem('role_required', 'Requires the admin role.'));
  const { code, stderr } = await importOf('userId\nnew\n');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Requires the admin role. (role_required)')]);
});
