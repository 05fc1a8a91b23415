import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { maxUsersPerBulk } from '#shared/contract/bulk-calls.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { maxBodyBytes, userIdCharacters } from '#shared/contract/fields.ts';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { docsSite } from '#shared/openapi/docs-site.ts';
import { problemExamples } from '#shared/openapi/problem-examples.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/integrate/errors.md'), 'utf8');
const sections = new Map(
  [...text.matchAll(/^## `(\w+)`\n\n(.*?)(?=^## )/gms)].map(([, code = '', section = '']) => [code, section]),
);
const codes = Object.keys(errorCatalogue) as ErrorCode[];

test('the errors page has a section for each code of the catalogue, in its order, and no other', () => {
  expect([...sections.keys()]).toEqual(codes);
});

test.each(codes)('the section of %s says its status, its title, what it means, why, and what to do', (code) => {
  const { status, title } = errorCatalogue[code];
  const section = sections.get(code) ?? '';
  expect(section.startsWith(`${status} · ${title}\n`)).toBe(true);
  expect(section).toMatch(/^\*\*Means:\*\* .*^\*\*Cause:\*\* .*^\*\*Fix:\*\* /ms);
});

test('the section of a code names every member that its problem documents have beside the common ones', () => {
  const common = Object.keys(problemExamples.internal.value);
  for (const [code, { value }] of Object.entries(problemExamples)) {
    const own = Object.keys(value).filter((member) => !common.includes(member));
    expect(own.filter((member) => !sections.get(code)?.includes(`\`${member}\``))).toEqual([]);
  }
});

test('the errors page shows the example of the API description', () => {
  const [, json = ''] = /^```json\n(.*?)^```/ms.exec(text) ?? [];
  expect(JSON.parse(json)).toEqual(problemExamples.version_mismatch.value);
});

test('the errors page states the limits of the contract', () => {
  expect(sections.get('invalid_request')).toContain(`1 to 128 of \`${userIdCharacters}\``);
  expect(sections.get('body_too_large')).toContain(`over ${maxBodyBytes.toLocaleString('en')} bytes`);
  expect(sections.get('body_too_large')).toContain(`takes ${maxUsersPerBulk} users`);
  expect(sections.get('too_many_keys')).toContain(`at most ${maxKeysPerOwner} keys`);
});

test('every operation that the errors page names exists', () => {
  const routes = [...Object.values(manageOperations), ...Object.values(serviceOperations)].map(
    ({ method, path }) => `${method} ${path}`,
  );
  const named = [...text.matchAll(/`((?:GET|PUT|POST|PATCH|DELETE) \/[^`]*)`/g)].map(([, request = '']) => request);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((request) => !routes.includes(request))).toEqual([]);
});

test('the type of every problem leads to its section on the page', () => {
  const page = docsSite().get('/docs/errors')?.read().toString();
  for (const code of codes) expect(page).toContain(`<h2 id="${code}">`);
});
