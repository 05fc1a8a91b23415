import { describe, expect, test } from '@jest/globals';
import { type ExportedChange, followLinks, subjectOf } from '#shared/integrity/chain-breaks.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { type ChangeOutline, exportOf } from './exported-changes.ts';

const user = { userId: 'ada' };
const access = { userId: 'ada', appId: 'billing' };
const role = { appId: 'billing', role: 'editor' };
const application = { appId: 'billing' };

const created: ChangeOutline = { action: 'user.created', ...user, version: null };
const deleted: ChangeOutline = { action: 'user.deleted', ...user };
const first: ChangeOutline = { action: 'access.changed', ...access, version: 0 };
const changed: ChangeOutline = { action: 'access.changed', ...access };
const defined: ChangeOutline = { action: 'role.defined', ...role, version: null };
const described: ChangeOutline = { action: 'role.defined', ...role };

/** Returns the breaks found when only these positions of an export remain. */
function found(changes: readonly ExportedChange[], left = changes.map((_, at) => at)) {
  const { broken } = followLinks(left.flatMap((at) => changes[at] ?? []));
  return broken.map(({ kind, change, after }) => [
    kind,
    changes.indexOf(change),
    after === undefined ? -1 : changes.indexOf(after),
  ]);
}

describe('nothing is broken', () => {
  test.each<[string, readonly ChangeOutline[]]>([
    ['if each change follows the previous one', [created, first, changed, defined, described, changed]],
    [
      'if roles and status of an access form one chain',
      [first, { action: 'role.assigned', ...access, role: 'editor' }, changed],
    ],
    ['if a user is recreated', [created, first, deleted, created, { ...first, begins: true }, changed]],
    ['if the tombstone of an erased user has expired', [created, deleted, { ...created, begins: true }]],
    ['if a role is redefined', [defined, { action: 'role.deleted', ...role }, { ...defined, begins: true }]],
    [
      'if a write recreates what a deletion has removed',
      [first, { action: 'application.deleted', ...application }, { ...first, begins: true }],
    ],
  ])('%s', (_, history) => {
    expect(found(exportOf(history))).toEqual([]);
  });

  test('in any order, even if everything is redacted', () => {
    const changes = exportOf([created, first, changed, deleted]);
    expect(found(changes.toReversed())).toEqual([]);
    expect(found(changes.flatMap((change) => redactChange(change) ?? []) as ExportedChange[])).toEqual([]);
  });

  test('if a change appears twice, once redacted', () => {
    const changes = exportOf([created, first, changed, changed]);
    expect(found([...changes, redactChange(changes[2] ?? {}) as ExportedChange])).toEqual([]);
  });

  test('for an erased user with remaining records of the erasure', () => {
    const changes = exportOf([created, first, deleted, created, changed, { action: 'user.updated', ...user }, deleted]);
    expect(found(changes, [2, 6])).toEqual([]);
    expect(found(changes, [6])).toEqual([]);
  });
});

describe('a break is noticed', () => {
  const changes = exportOf([
    created,
    first,
    changed,
    changed,
    { action: 'user.updated', ...user },
    defined,
    described,
    described,
  ]);

  test.each([
    ['of an access', [0, 1, 3, 4], [['missing-before', 3, 1]]],
    ['of a user', [0, 1, 2, 3, 4].filter((at) => at !== 0), []],
    ['of a role', [5, 7], [['missing-before', 7, 5]]],
  ])('a change in the middle is missing: %s', (_, left, broken) => {
    expect(found(changes, left)).toEqual(broken);
  });

  test("some of an erased user's changes are missing, and some are not", () => {
    const erased = exportOf([
      created,
      { action: 'user.updated', ...user },
      { action: 'user.status.changed', ...user },
      deleted,
    ]);
    expect(found(erased, [0, 1, 3])).toEqual([['missing-before', 3, 1]]);
  });

  test('two changes follow the same one, as after the table was rolled back', () => {
    const [one, two] = [exportOf([first, changed]), exportOf([first, changed, changed])];
    const other = { ...two[1], id: `${one[1]?.id.slice(0, -1)}Z`, integrity: { ...two[1]?.integrity, mac: 'other' } };
    const all = [...one, other as ExportedChange];
    expect(found(all)).toEqual([['two-successors', 2, 1]]);
  });

  test.each<[string, readonly ChangeOutline[]]>([
    ['an access, whose user was not deleted', [first, changed, { ...first, begins: true }]],
    ['an access, which had been changed before', [first, deleted, { ...changed, begins: true }]],
    ['a user, who was not deleted', [created, { ...created, begins: true }]],
    ['a role, which was not deleted', [defined, { ...defined, begins: true }]],
    [
      'an application',
      [
        { action: 'application.created', ...application, version: null },
        { action: 'application.updated', ...application, begins: true },
      ],
    ],
  ])('a chain begins again: %s', (_, history) => {
    const at = history.length - 1;
    expect(found(exportOf(history))).toEqual([
      ['begins-again', at, history[0] === first && history[1] !== deleted ? at - 1 : 0],
    ]);
  });

  test('a change has no MAC, and an earlier one has', () => {
    const { integrity: _, ...forged } = changes[2] as ExportedChange;
    expect(found([...changes.slice(0, 2), forged as ExportedChange])).toEqual([['without-mac', 2, 1]]);
    expect(found([forged as ExportedChange])).toEqual([['without-mac', 0, -1]]);
  });
});

describe('only a verified deletion explains a break', () => {
  const again: ChangeOutline = { ...first, begins: true };

  test.each<[string, readonly ChangeOutline[], string, string]>([
    [
      'of an application',
      [first, { action: 'application.deleted', ...application }, again],
      'access of ada',
      'begins-again',
    ],
    ['of a user', [first, deleted, again], 'access of ada', 'begins-again'],
    ['of a user itself', [created, deleted, { ...created, begins: true }], 'user ada', 'begins-again'],
    [
      'of a role',
      [defined, { action: 'role.deleted', ...role }, { ...defined, begins: true }],
      'role editor',
      'begins-again',
    ],
  ])('that %s', (_, history, subject, kind) => {
    const changes = exportOf(history);
    const deletion = changes.find(({ action }) => action.endsWith('.deleted')) as ExportedChange;
    const unverified = new Set([deletion]);
    const kinds = followLinks(changes, { unverified }).broken.map((each) => `${subjectOf(each.change)} ${each.kind}`);
    expect(kinds).toEqual([expect.stringMatching(new RegExp(`^${subject}.* ${kind}$`))]);
    const { integrity: __, ...forged } = deletion;
    const forgery = changes.map((each) => (each === deletion ? (forged as ExportedChange) : each));
    const all = followLinks(forgery).broken.map((each) => each.kind);
    expect(all).toContain('without-mac');
    expect(all).toContain(kind);
  });

  test("in an application's history, a forged deletion of a user is a break, although users are not followed", () => {
    const [before, deletion, after] = exportOf([first, deleted, again]);
    const { integrity: __, ...forged } = deletion as ExportedChange;
    const changes = [before, forged, after] as ExportedChange[];
    expect(followLinks(changes, { appId: 'billing' }).broken.map(({ kind }) => kind)).toEqual([
      'without-mac',
      'begins-again',
    ]);
  });
});

test("in an application's history, the chains of users are not followed, because they are incomplete", () => {
  const status: ChangeOutline = { action: 'user.status.changed', ...user };
  const changes = exportOf([first, status, { action: 'user.updated', ...user }, status, changed, changed]);
  const left = changes.filter(({ action }) => action !== 'user.updated');
  expect(followLinks(left).broken.map(({ kind }) => kind)).toEqual(['missing-before']);
  expect(followLinks(left, { appId: 'billing' })).toEqual({ broken: [], subjects: 1, withoutBeginning: 0 });
  const broken = followLinks(left.toSpliced(3, 1), { appId: 'billing' }).broken;
  expect(broken.map(({ change }) => change)).toEqual([changes[5]]);
});

test('chains that start before the export are counted, and so are subjects', () => {
  const changes = exportOf([created, first, changed, defined, described]);
  expect(followLinks(changes)).toEqual({ broken: [], subjects: 3, withoutBeginning: 0 });
  expect(followLinks(changes.slice(2))).toEqual({ broken: [], subjects: 2, withoutBeginning: 1 });
  expect(followLinks([])).toEqual({ broken: [], subjects: 0, withoutBeginning: 0 });
});

test.each([
  [{ action: 'user.status.changed', ...user }, 'user ada'],
  [{ action: 'role.assigned', ...access, role: 'editor' }, 'access of ada in billing'],
  [{ action: 'role.defined', ...role }, 'role editor of billing'],
  [{ action: 'key.issued', ...application, keyId: 'k' }, 'application billing'],
])('a change is part of the chain of its subject: %j', (change, subject) => {
  expect(subjectOf({ id: 'x', ...change })).toBe(subject);
});
