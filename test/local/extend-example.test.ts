import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { exampleUsers } from '../../local/example-company.ts';
import { extendExample } from '../../local/extend-example.ts';
import { createAccessKey } from '../../local/local-credentials.ts';
import type { ExampleContext, RunningPart } from '../../local/local-part.ts';
import type { SeededExample } from '../../local/seed-example.ts';
import { makeFolder } from './write-assembly.ts';

const example: SeededExample = {
  ...createAccessKey(),
  baseUrl: 'http://127.0.0.1:1',
  appId: 'billing-2',
  keyId: 'k',
  secret: 's',
  userIds: ['ada'],
  roles: [],
  manageUrl: 'http://127.0.0.1:2',
  region: 'local',
  issuer: 'http://127.0.0.1:3',
  audience: 'dashboard',
  clientId: 'dashboard',
};

function part(addExample?: RunningPart['addExample']): RunningPart {
  return { environment: {}, issuers: {}, ...(addExample && { addExample }), close: async () => {} };
}

test('what options run adds members to the file of the example and lines to the welcome', async () => {
  const file = join(await makeFolder(), 'example.json');
  const contexts: ExampleContext[] = [];
  const parts = [
    part(async (context) => {
      contexts.push(context);
      return { members: { one: { url: 'x' } }, lines: [['One', 'at x']] };
    }),
    part(),
    part(async () => ({ members: { two: 2 }, lines: [['Two', 'at y']] })),
  ];
  const lines = await extendExample({ example, parts, file });
  expect(lines).toEqual([
    ['One', 'at x'],
    ['Two', 'at y'],
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...example, one: { url: 'x' }, two: 2 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const inactive = exampleUsers.filter(({ inactive }) => inactive !== undefined).map(({ userId }) => userId);
  expect(contexts[0]).toMatchObject({ appId: 'billing-2', userIds: expect.arrayContaining(['ada', 'auth0|123']) });
  for (const userId of inactive) expect(contexts[0]?.userIds).not.toContain(userId);
});
