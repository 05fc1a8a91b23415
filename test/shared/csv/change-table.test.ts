import { expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { type Change, changeSchema } from '#shared/contract/change.ts';
import type { KeyId, RoleName } from '#shared/contract/fields.ts';
import { resourceFields } from '#shared/contract/resource-fields.ts';
import { createChangeFile } from '#shared/csv/change-table.ts';
import { sampleFields } from '../../support/field-samples.ts';
import { storedChange } from '../../support/stored-items.ts';

/** The row of a change, by the titles of its columns. */
function rowOf(change: Change): Readonly<Record<string, string>> {
  const { begin, add, end } = createChangeFile('csv');
  const [row = {}] = Papa.parse<Record<string, string>>(begin.slice(1) + add([change]) + end, { header: true }).data;
  return row;
}

/** Only the JSON export has these: it can be verified, and a bulk is undone by the command that made it. */
const onlyInJson = ['caller', 'bulkId', 'undoOf', 'integrity'];

test('a table of changes has a column for each member of a change', () => {
  const side = { status: 'enabled' };
  const ids = { role: 'editor' as RoleName, keyId: 'svk_k1_billing_1' as KeyId };
  const change: Readonly<Record<string, unknown>> = { ...storedChange(ids), before: side, reason: 'left' };
  const cells = Object.values(rowOf(change as Change));
  const shown = Object.keys(changeSchema.entries).filter((name) => !onlyInJson.includes(name));
  const isShown = (name: string) => {
    const value = change[name];
    return value !== undefined && cells.includes(typeof value === 'string' ? value : JSON.stringify(value));
  };
  expect(shown.filter((name) => !isShown(name))).toEqual([]);
});

test.each(Object.entries(resourceFields))('a table of changes shows every field of the %s', (_, fields) => {
  const after = sampleFields(fields);
  expect(JSON.parse(rowOf(storedChange({ after })).after ?? '')).toEqual(after);
});
