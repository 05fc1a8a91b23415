import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import type { Change } from '#shared/contract/change.ts';
import type { Selection } from '#shared/csv/change-archive.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { exportOf } from '#test/shared/integrity/exported-changes.ts';
import { importsOf, isOurs } from '#test/support/source-imports.ts';
import { isArchive, readArchive, writeArchive } from '../history-archive.ts';
import { describeVerification, leavesGaps, verificationOf } from '../verification.ts';

const changes = exportOf([
  { action: 'user.created', userId: 'ada', version: null },
  { action: 'access.changed', userId: 'ada', appId: 'billing', version: 0 },
]);
const names = { users: new Map([['ada', 'Ada']]), applications: new Map([['billing', 'Billing']]) };
const given = { verifiedAt: '2026-11-25T08:00:00.000Z', verifiedBy: 'edith', service: 'https://x', isComplete: true };
const verify = (selection: Selection, failing: number[] = []) => {
  const changed = failing.map((at) => ({ kind: 'changed', change: changes[at] as (typeof changes)[0] }));
  return verificationOf({ ...given, selection }, changes, checkChains(changes, changed, {}));
};
const archive = () => {
  const verification = verify({ actor: 'edith' });
  return writeArchive({ changes: changes as unknown as readonly Change[], names, verification });
};

test('an archive has the table, the records with their MACs, and the result for programs and for people', () => {
  const files = unzipSync(archive());
  expect(Object.keys(files)).toEqual(['changes.csv', 'changes.json', 'verification.json', 'verification.txt']);
  expect(JSON.parse(strFromU8(files['changes.json'] ?? new Uint8Array()))).toEqual(changes);
  expect(strFromU8(files['changes.csv'] ?? new Uint8Array())).toContain('Billing');
  const read = readArchive(archive());
  expect(read.verification).toMatchObject({ ...given, selection: { actor: 'edith' }, changes: 2, isSound: true });
});

describe('the result of a verification', () => {
  test('says what was verified, when and by whom, and each chain', () => {
    expect(verify({})).toMatchObject({
      ...given,
      isSound: true,
      changes: 2,
      histories: 2,
      gapsChecked: true,
      failures: [],
      chains: [{ subject: 'user ada' }, { subject: 'access of ada in billing', changes: 1, failed: 0 }],
    });
    const text = describeVerification(verify({ since: 'A', userId: 'ada' }));
    for (const line of [
      'Verified at: 2026-11-25T08:00:00.000Z',
      'Verified by: edith',
      'Service: https://x',
      'Selection: from A; user ada',
      'Result: every change is as the service wrote it.',
      'Verified the MAC of 2 changes in 2 histories.',
      'Checked for gaps between the changes of each history. 0 histories start before this export.',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toContain('FAILED');
  });

  test('says which change failed, of which user, in which chain and when', () => {
    const failed = verify({}, [1]);
    const [, change] = changes;
    expect(failed).toMatchObject({
      isSound: false,
      failures: [{ kind: 'changed', id: change?.id, at: change?.at, subject: 'access of ada in billing', user: 'ada' }],
    });
    const text = describeVerification(failed);
    expect(text).toContain('Result: FAILED.');
    expect(text).toContain(`${change?.id} at ${change?.at} (access of ada in billing) was altered`);
    expect(text).toContain('- access of ada in billing: 1 of 1 change failed');
  });

  test('says what is left out', () => {
    const limited = verificationOf(
      { ...given, selection: { action: 'x' }, isComplete: false, limitedTo: ['crm'] },
      changes,
      checkChains(changes, [], {}),
    );
    const text = describeVerification(limited);
    for (const words of ['gaps between them were not checked', 'Older changes were left out.', 'applications: crm']) {
      expect(text).toContain(words);
    }
  });
});

test.each<[Selection, boolean]>([
  [{}, false],
  [{ since: 'a', until: 'b', appId: 'billing', userId: 'ada', actor: '' }, false],
  [{ actor: 'edith' }, true],
  [{ action: 'access.changed' }, true],
  [{ bulkId: 'b' }, true],
])('the selection %j leaves gaps: %s', (selection, expected) => {
  expect(leavesGaps(selection)).toBe(expected);
});

describe('a file that is no archive', () => {
  const files = unzipSync(archive());

  test('is told apart by its first bytes', () => {
    expect([isArchive(archive()), isArchive(Buffer.from('[]')), isArchive(new Uint8Array())]).toEqual([
      true,
      false,
      false,
    ]);
  });

  const without = (name: string) => Object.fromEntries(Object.entries(files).filter(([other]) => other !== name));

  test.each([
    ['is not a complete ZIP file', archive().slice(0, 200)],
    ['has no changes.csv', zipSync(without('changes.csv'))],
    ['has no verification.json', zipSync(without('verification.json'))],
    [
      'has a verification.json that this version cannot read',
      zipSync({ ...files, 'verification.json': Buffer.from('{}') }),
    ],
  ])('%s', (message, bytes) => {
    expect(() => readArchive(bytes)).toThrow(message);
  });
});

test('what a browser loads for an archive uses two packages, and none of Node.js', () => {
  const loaded = new Set(['options/evidence/archive-download.ts']);
  for (const file of loaded) {
    const own = importsOf(file).filter(({ to }) => dirname(to) === dirname(file));
    for (const { to } of own) loaded.add(to);
  }
  expect([...loaded]).toContain('options/evidence/history-archive.ts');
  const packages = [...loaded].flatMap(importsOf).filter(({ to }) => !isOurs(to));
  expect([...new Set(packages.map(({ to }) => to))].sort()).toEqual(['fflate', 'valibot']);
});
