import { describe, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import type { Change } from '#shared/contract/change.ts';
import { changeSchema } from '#shared/contract/change-schemas.ts';
import { actionLabels } from '#shared/contract/change-words.ts';
import type { KeyId, RoleName } from '#shared/contract/fields.ts';
import { resourceFields } from '#shared/contract/resource-fields.ts';
import { createChangeFile } from '#shared/csv/change-table.ts';
import { sampleFields } from '../../support/field-samples.ts';
import { storedChange } from '../../support/stored-items.ts';

const names = { users: new Map([['ada', 'Ada Lovelace']]), applications: new Map([['billing', 'Billing']]) };

/** The row of a change, by the titles of its columns. */
function rowOf(change: Change): Readonly<Record<string, string>> {
  const { begin, add, end } = createChangeFile('csv');
  const text = begin.slice(1) + add([change], names) + end;
  const [row = {}] = Papa.parse<Record<string, string>>(text, { header: true, delimiter: ',' }).data;
  return row;
}

/** In several columns, in words or in another form. Only the JSON export can be verified. */
const notAsRecorded = ['at', 'caller', 'before', 'after', 'integrity'];

test('a table of changes has a column for each member of a change', () => {
  const ids = {
    role: 'editor' as RoleName,
    keyId: 'svk_k1_billing_1' as KeyId,
    connectionId: 'gateway',
    webhookId: 'backend',
  };
  const linked = { undoOf: '01K00000000000000000000001', bulkId: 'off-boarding-7' };
  const change: Readonly<Record<string, unknown>> = {
    ...storedChange(ids),
    ...linked,
    reason: 'left',
    ticket: 'INC-1234',
  };
  const cells = Object.values(rowOf(change as Change));
  const shown = Object.keys(changeSchema.entries).filter((name) => !notAsRecorded.includes(name));
  expect(shown.filter((name) => change[name] === undefined || !cells.includes(String(change[name])))).toEqual([]);
});

test('a time has its seconds and its zone', () => {
  const row = rowOf(storedChange({ at: '2026-11-20T19:14:11.123Z' }));
  expect(row).toMatchObject({ time: '2026-11-20 19:14:11 UTC' });
});

describe('names', () => {
  test('an operator is named by e-mail address, id and role', () => {
    const { id, email, role } = { id: 'sub-edith', email: 'edith@example.com', role: 'support' } as const;
    const caller = { kind: 'operator', via: 'token', issuer: 'https://login', id, email, role } as const;
    expect(rowOf(storedChange({ caller }))).toMatchObject({ byName: email, byId: id, byRole: role });
  });

  test('an API key is named by its application and its id', () => {
    const keyOf = (appId: string) => ({ kind: 'api-key', appId, keyId: 'svk_k1_billing_1' as KeyId }) as const;
    const known = rowOf(storedChange({ caller: keyOf('billing') as Change['caller'] }));
    expect(known).toMatchObject({ byName: 'Billing', byId: 'svk_k1_billing_1', byRole: 'API key' });
    expect(rowOf(storedChange({ caller: keyOf('gone') as Change['caller'] }))).toMatchObject({ byName: 'gone' });
  });

  test('a user and an application have their names beside their ids, and none once they are gone', () => {
    const known = rowOf(storedChange({ userId: 'ada' as never, appId: 'billing' as never }));
    expect(known).toMatchObject({ userName: 'Ada Lovelace', userId: 'ada', appName: 'Billing', appId: 'billing' });
    const gone = rowOf(storedChange({ userId: 'bob' as never, appId: 'old' as never }));
    expect(gone).toMatchObject({ userName: '', userId: 'bob', appName: '', appId: 'old' });
  });
});

describe('words', () => {
  const until = '2026-12-01T10:00:00.000Z';

  test.each([
    [{ status: 'enabled', explicit: false, until: null, reason: null, version: 0 }, 'Status: Not set'],
    [{ status: 'enabled', explicit: true, until: null, reason: null, version: 3 }, 'Status: Allowed'],
    [
      { status: 'disabled', explicit: true, until, reason: 'unpaid', version: 4 },
      'Status: Blocked; Reason: unpaid; Until: 2026-12-01 10:00:00 UTC',
    ],
    [{ status: 'inactive', version: 2 }, 'Status: Inactive'],
    [{ granted: true, expiresAt: null, version: 2 }, 'Granted: yes'],
    [{ granted: false, expiresAt: null }, 'Granted: no'],
    [{ name: 'Billing', rolloutPercent: 12.5, version: 2 }, 'Name: Billing; Rollout: 12.5%'],
    [null, ''],
  ])('the state %j is "%s"', (recorded, words) => {
    expect(rowOf(storedChange({ before: recorded, after: null }))).toMatchObject({ before: words, after: '' });
    expect(rowOf(storedChange({ before: null, after: recorded }))).toMatchObject({ before: '', after: words });
  });

  test('an action is in words, and as its code', () => {
    expect(rowOf(storedChange({ action: 'access.changed' }))).toMatchObject({
      action: actionLabels['access.changed'],
      actionCode: 'access.changed',
    });
  });

  test.each(Object.entries(resourceFields))('the state has every field of the %s', (_, fields) => {
    const samples = sampleFields(fields);
    const after = rowOf(storedChange({ after: samples })).after ?? '';
    const shown = (value: unknown) => {
      if (value === true) return 'yes';
      return /^\d{4}-/.test(String(value)) ? String(value).slice(11, 19) : String(value);
    };
    expect(Object.values(samples).filter((value) => !after.includes(shown(value)))).toEqual([]);
  });
});

test.each(['=1+1', '+1', '-1', '@x', '\tx', '＝1', "'=1"])('the name %j is not a formula in a spreadsheet', (name) => {
  const { begin, add } = createChangeFile('csv');
  const text = begin + add([storedChange({ reason: name })], { ...names, users: new Map([['ada', name]]) });
  const [row = {}] = Papa.parse<Record<string, string>>(text.slice(1), { header: true, delimiter: ',' }).data;
  expect([row.userName, row.reason]).toEqual([`'${name}`, `'${name}`]);
});
