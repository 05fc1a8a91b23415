import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { operations } from '#shared/openapi/described-operations.ts';
import { problemResponses } from '#shared/openapi/responses.ts';
import { tool } from '../client/install-package.ts';
import { openapi } from '../support/documented.ts';
import { needing } from '../support/needing.ts';
import { checksModules, generators } from '../support/tools.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');
const document = join(project, 'docs/openapi.json');
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** Each call has only the required parameters; the last line of each proves that the types are not `any`. */
const calls = {
  'openapi-typescript': `
    import createClient from 'openapi-fetch';
    import type { paths } from './paths';
    const client = createClient<paths>({ baseUrl: 'https://auth.example.com' });
    const [path, keys] = [{ userId: "o'brien" }, { appId: 'crm' }];
    const { data, error } = await client.PUT('/api/service/users/{userId}/access', { params: { path }, body: { status: 'disabled' } });
    export const status: 'enabled' | 'disabled' | undefined = data?.effectiveStatus;
    export const isMissing: boolean = error?.code === 'user_not_found';
    // @ts-expect-error: a misspelt code
    export const isMisspelt = error?.code === 'user_missing';
    const changes = await client.GET('/api/service/changes');
    export const version = changes.data?.items[0]?.after?.version;
    await client.DELETE('/api/service/users/{userId}/revoke', { params: { path, query: { role: 'editor' } } });
    const issued = await client.POST('/api/manage/applications/{appId}/keys', { params: { path: keys }, body: {} });
    export const secret: string | undefined = issued.data?.secret;
    // @ts-expect-error: a misspelt member
    await client.PUT('/api/service/users/{userId}/access', { params: { path }, body: { state: 'disabled' } });`,
  'hey-api': `
    import { issueKey, listChanges, revokeRole, setAccess } from './hey-api';
    const path = { userId: "o'brien" };
    const { data, error } = await setAccess({ path, body: { status: 'disabled' } });
    export const status: 'enabled' | 'disabled' | undefined = data?.effectiveStatus;
    export const isMissing: boolean = error?.code === 'user_not_found';
    // @ts-expect-error: a misspelt code
    export const isMisspelt = error?.code === 'user_missing';
    const changes = await listChanges();
    export const version = changes.data?.items[0]?.after?.version;
    await revokeRole({ path, query: { role: 'editor' } });
    const issued = await issueKey({ path: { appId: 'crm' } });
    export const secret: string | undefined = issued.data?.secret;
    // @ts-expect-error: a misspelt member
    await setAccess({ path, body: { state: 'disabled' } });`,
};

needing('OpenAPI generators').test(
  'generated clients compile with only the required parameters of each operation',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'auth-service-generators-'));
    try {
      await symlink(checksModules, join(folder, 'node_modules'));
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
      const generate = (program: string, ...args: readonly string[]) =>
        run(process.execPath, [program, ...args], { cwd: folder });
      await generate(generators['openapi-typescript'], document, '-o', 'paths.ts');
      await generate(generators['hey-api'], '-i', document, '-o', 'hey-api');
      for (const [name, code] of Object.entries(calls)) await writeFile(join(folder, `call-${name}.ts`), code);
      const { stdout } = await run(tool('tsc'), ['-p', folder]).catch((error) => error);
      expect(stdout).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('operations that share a response refuse with the same codes', () => {
  const all = operations.flatMap((operation) => [...problemResponses(operation).values()]);
  const byName = Map.groupBy(all, ({ name }) => name);
  const differing = [...byName].filter(([, alike]) => new Set(alike.map((one) => JSON.stringify(one))).size > 1);
  expect(differing.map(([name]) => name)).toEqual([]);
});

test('the names of the API description are unique in one case-insensitive namespace, as generators require', () => {
  const { schemas, parameters, responses, headers } = openapi.components;
  const names = [schemas, parameters, responses, headers].flatMap(Object.keys).map((name) => name.toLowerCase());
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const { properties = {} } of Object.values<{ properties?: object }>(schemas)) {
    const members = Object.keys(properties).map((name) => name.toLowerCase());
    expect(members).toEqual([...new Set(members)]);
  }
});
