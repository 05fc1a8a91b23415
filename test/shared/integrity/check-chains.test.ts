import { expect, test } from '@jest/globals';
import { checkChains, summarizeChains } from '#shared/integrity/check-chains.ts';
import { type ChangeOutline, exportOf } from './exported-changes.ts';

const access = { userId: 'ada', appId: 'billing' };
const outlines: readonly ChangeOutline[] = [
  { action: 'user.created', userId: 'ada', version: null },
  { action: 'access.changed', ...access, version: 0 },
  { action: 'access.changed', ...access },
  { action: 'access.changed', ...access },
];
const changes = exportOf(outlines);
const without = (left: number) => changes.filter((_, at) => at !== left);
const kinds = (exported: typeof changes, isSelection: boolean) =>
  checkChains(exported, [], { isSelection }).findings.map(({ kind }) => kind);

test('a gap is a break, but not in a selection', () => {
  expect(kinds(changes, false)).toEqual([]);
  expect(kinds(without(2), false)).toEqual(expect.arrayContaining(['missing-before']));
  expect(kinds(without(2), true)).toEqual([]);
});

test('a fork and a change without a MAC are breaks, even in a selection', () => {
  const [, , second, third] = changes;
  const fork = { ...third, id: `${third?.id}1`, integrity: { ...third?.integrity, mac: 'X' } } as (typeof changes)[0];
  const behind = { ...fork, integrity: { ...fork.integrity, previous: changes[1]?.integrity?.mac } } as typeof fork;
  expect(kinds([...changes, behind], true)).toEqual(['two-successors']);
  expect(kinds([...without(2), { ...second, integrity: undefined } as typeof fork], true)).toEqual(['without-mac']);
});

test('a changed change is a finding, and counts in its chain', () => {
  const [, first] = changes;
  const changed = first ? [{ kind: 'changed', change: first }] : [];
  const { findings, subjects } = checkChains(changes, changed, {});
  expect([findings.map(({ kind }) => kind), subjects]).toEqual([['changed'], 2]);
  expect(summarizeChains(changes, findings)).toEqual([
    { subject: 'user ada', changes: 1, failed: 0, firstAt: changes[0]?.at, lastAt: changes[0]?.at },
    { subject: 'access of ada in billing', changes: 3, failed: 1, firstAt: first?.at, lastAt: changes[3]?.at },
  ]);
});
