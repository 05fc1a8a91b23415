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

/** The caller has several columns. Only the JSON export can be verified. */
const notInOneColumn = ['caller', 'integrity'];

test('a table of changes has a column for each member of a change', () => {
  const side = { status: 'enabled' };
  const ids = { role: 'editor' as RoleName, keyId: 'svk_k1_billing_1' as KeyId };
  const linked = { undoOf: '01K00000000000000000000001', bulkId: 'off-boarding-7' };
  const change: Readonly<Record<string, unknown>> = {
    ...storedChange(ids),
    ...linked,
    before: side,
    reason: 'left',
    ticket: 'INC-1234',
  };
  const cells = Object.values(rowOf(change as Change));
  const shown = Object.keys(changeSchema.entries).filter((name) => !notInOneColumn.includes(name));
  const isShown = (name: string) => {
    const value = change[name];
    return value !== undefined && cells.includes(typeof value === 'string' ? value : JSON.stringify(value));
  };
  expect(shown.filter((name) => !isShown(name))).toEqual([]);
});

test('a table of changes says who made each, and in which role', () => {
  const { id, email, role } = { id: 'sub-edith', email: 'edith@example.com', role: 'support' } as const;
  const change = storedChange({ caller: { kind: 'operator', via: 'token', issuer: 'https://login', id, email, role } });
  expect(rowOf(change)).toMatchObject({ by: id, 'by e-mail': email, 'by role': role, 'by application': '' });
});

test.each(Object.entries(resourceFields))('a table of changes shows every field of the %s', (_, fields) => {
  const after = sampleFields(fields);
  expect(JSON.parse(rowOf(storedChange({ after })).after ?? '')).toEqual(after);
});
