import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isUserId, userIdCharacters } from '#shared/contract/fields.ts';
import { needing } from '../support/needing.ts';
import { normalizeVolatileFields } from '../support/normalize-volatile-fields.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const document = await readDocument('docs/integrate/api.md');
/** Each command with the answer that is shown below it, if one is. */
const steps = [...document.text.matchAll(/^```bash\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)].map(
  ([, command = '', shown]) => ({ command, shown }),
);

needing('curl', 'OpenSSL').describe('the commands of the API page', () => {
  let service: TestService;
  let folder: ProjectFolder;
  let answers: string[];
  beforeAll(async () => {
    service = await startSources();
    folder = await openProjectFolder(service);
    answers = await folder.runEach(steps.map(({ command }) => command));
  });
  afterAll(async () => {
    await folder.remove();
    await service.stop();
  });

  test.each(steps.flatMap(({ command, shown }, at) => (shown === undefined ? [] : [{ command, shown, at }])))(
    '$command answers what is shown',
    ({ shown, at }) => {
      // A change gets its number within moments.
      const answer = (answers[at] ?? '').replace('"pending":1', '"pending":0');
      expect(normalizeVolatileFields(JSON.parse(answer))).toEqual(normalizeVolatileFields(JSON.parse(shown)));
    },
  );

  test('delete what they created', () => {
    expect(answers.at(-1)).toBe('{"changed":true,"complete":true}{"changed":true,"complete":true}');
    expect(() => statSync(join(folder.path, '.local/shop.json'))).toThrow('ENOENT');
  });
});

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
