import { expect, test } from '@jest/globals';
import { accessSchema } from '#shared/contract/access-answers.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/concepts.md');

test('the concepts page has each way in which an access is decided', () => {
  const named = new Set([...page.text.matchAll(/decidedBy: (\w+)"/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual([...accessSchema.entries.decidedBy.options].sort());
});
