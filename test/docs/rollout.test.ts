import { expect, test } from '@jest/globals';
import type { DecidedBy } from '#shared/contract/access.ts';
import { accessSchema } from '#shared/contract/access-answers.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/operate/rollout.md');

needing('curl', 'OpenSSL').test('the commands of the rollout page print what it shows', async () => {
  const reader = await openReader();
  await reader.walk('docs/operate/rollout.md').finally(reader.close);
});

test('the rollout page has each way in which an access is decided', () => {
  const [, table = ''] = page.text.split(/^\| -+ .*$/m);
  const named = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name as DecidedBy);
  expect(named.sort()).toEqual([...accessSchema.entries.decidedBy.options].sort());
});
