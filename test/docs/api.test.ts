import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isUserId, userIdCharacters } from '#shared/contract/fields.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

const document = await readDocument('docs/integrate/api.md');

needing('curl', 'OpenSSL').test(
  'the commands of the API page answer what it shows, and delete what they created',
  async () => {
    const reader = await openReader();
    const steps = await reader.walk('docs/integrate/api.md').finally(reader.close);
    expect(steps.at(-1)?.printed).toBe('{"changed":true,"complete":true}{"changed":true,"complete":true}');
  },
);

test('the API page says which characters a user id has, and how long an id in base64url may be', () => {
  expect(document.text).toContain(`1 to 128 of \`${userIdCharacters}\``);
  const longest = `b64.${Buffer.alloc(93).toString('base64url')}`;
  expect(document.text).toContain('up to 93 bytes');
  expect([isUserId(longest), isUserId(`b64.${Buffer.alloc(94).toString('base64url')}`)]).toEqual([true, false]);
});

test('the API page states the limits of the decision', () => {
  const limits = readFileSync(join(import.meta.dirname, '../../docs/decisions/0006-limits.md'), 'utf8');
  for (const limit of ['16 KB', '256 characters', '10 unexpired', '1,000']) {
    expect([limit, limits.includes(limit), document.text.includes(limit)]).toEqual([limit, true, true]);
  }
});
