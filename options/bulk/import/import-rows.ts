import * as v from 'valibot';
import { fieldNames } from '#shared/contract/field-forms.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { type ImportedUser, importedUserSchema } from '../contract/user-import.ts';

/** The columns of an import, in the order in which documents list them. */
export const importColumns = [
  'userId',
  ...fieldNames(userFields),
  'status',
  'application',
  'access',
  'accessUntil',
  'role',
  'roleStatus',
  'roleUntil',
] as const;
export type ImportColumn = (typeof importColumns)[number];

/** The columns that describe users themselves. */
export const columnsOfUsers: readonly ImportColumn[] = [...fieldNames(userFields), 'status'];

/** The cells of a row that have a value; `null` clears it. */
export type ImportCells = ReadonlyMap<ImportColumn, string | null>;

/** In a cell of a time: no end. */
const never = 'never';

/** The user of one row, or what is wrong with it. */
export function readImportRow(cells: ImportCells): ImportedUser | string {
  const missing = findMissing(cells);
  if (missing !== undefined) return missing;
  const { success, output, issues } = v.safeParse(importedUserSchema, candidateOf(cells));
  if (success) return output;
  const [issue] = issues;
  const [top, , below] = (issue.path ?? []).map(({ key }) => String(key));
  return `${columnOf(top, below)} ${issue.message}`;
}

/** A value that has no effect without another one is a mistake. */
function findMissing(cells: ImportCells): string | undefined {
  const has = (column: ImportColumn) => (cells.get(column) ?? null) !== null;
  if (!has('userId')) return 'userId is missing';
  if (has('application') && !has('access') && !has('role')) return 'application needs an access or a role';
  const needs: readonly (readonly [ImportColumn, ImportColumn])[] = [
    ['accessUntil', 'access'],
    ['access', 'application'],
    ['roleStatus', 'role'],
    ['roleUntil', 'role'],
    ['role', 'application'],
  ];
  const unmet = needs.find(([column, needed]) => has(column) && !has(needed));
  if (unmet !== undefined) return `${unmet[0]} needs a value of ${unmet[1]}`;
  if (has('accessUntil') && cells.get('access') === 'enabled') return 'accessUntil is only for the access "disabled"';
  if (has('roleUntil') && cells.get('roleStatus') === 'revoked')
    return 'roleUntil is only for the roleStatus "assigned"';
  return undefined;
}

function candidateOf(cells: ImportCells): object {
  const appId = cells.get('application');
  const given = [...fieldNames(userFields), 'status' as const].filter((name) => cells.has(name));
  return {
    userId: cells.get('userId'),
    ...Object.fromEntries(given.map((name) => [name, cells.get(name)])),
    ...(cells.has('access') && {
      accesses: [{ appId, status: cells.get('access'), ...timeOf(cells, 'accessUntil', 'until') }],
    }),
    ...(cells.has('role') && {
      roles: [
        {
          appId,
          role: cells.get('role'),
          ...(cells.has('roleStatus') && { status: cells.get('roleStatus') }),
          ...timeOf(cells, 'roleUntil', 'expiresAt'),
        },
      ],
    }),
  };
}

function timeOf(cells: ImportCells, column: ImportColumn, member: string): object {
  const value = cells.get(column);
  return value === undefined ? {} : { [member]: value === never ? null : value };
}

const columnsOf: Readonly<Record<string, Readonly<Record<string, ImportColumn>>>> = {
  accesses: { appId: 'application', status: 'access', until: 'accessUntil' },
  roles: { appId: 'application', role: 'role', status: 'roleStatus', expiresAt: 'roleUntil' },
};

function columnOf(top = 'userId', below = ''): string {
  return columnsOf[top]?.[below] ?? top;
}

/** The user of several rows; a text if they contradict each other. */
export function mergeRows(one: ImportedUser, other: ImportedUser): ImportedUser | string {
  const { accesses, roles, ...fields } = one;
  const { accesses: moreAccesses, roles: moreRoles, ...moreFields } = other;
  const differing = Object.entries(moreFields).find(
    ([name, value]) => name in fields && fields[name as keyof typeof fields] !== value,
  );
  if (differing !== undefined) return `${differing[0]} differs from that in another row of this user`;
  const mergedAccesses = mergeLists(accesses, moreAccesses, ({ appId }) => appId);
  if (mergedAccesses === undefined) return 'access differs from that in another row of this user and application';
  const mergedRoles = mergeLists(roles, moreRoles, ({ appId, role }) => `${appId} ${role}`);
  if (mergedRoles === undefined) return 'role differs from the same role in another row of this user';
  return { ...fields, ...moreFields, accesses: mergedAccesses, roles: mergedRoles };
}

/** Both lists, each item once; undefined if items with the same key differ. */
function mergeLists<Item>(list: readonly Item[], more: readonly Item[], keyOf: (item: Item) => string) {
  const merged = new Map(list.map((item) => [keyOf(item), item]));
  for (const item of more) {
    const known = merged.get(keyOf(item));
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(item)) return undefined;
    merged.set(keyOf(item), item);
  }
  return [...merged.values()];
}
