import type { Change } from '#shared/contract/change.ts';
import { createChangeFile, type KnownNames } from './change-table.ts';
import { type CsvTable, readTable } from './read-csv.ts';

/**
 * Says where a table of changes differs from the changes; undefined if it has the same ones in the same order. The names of users
 * and applications are not part of the changes: they only have to be the same in all rows.
 */
export function findTableDifference(text: string, changes: readonly Change[]): string | undefined {
  const table = readTable(text);
  if (table.rows.length !== changes.length) return `has ${table.rows.length} rows for ${changes.length} changes`;
  const { begin, add, end } = createChangeFile('csv');
  const whole = begin + add(changes, namesIn(table, changes)) + end;
  if (text === whole) return undefined;
  const expected = readTable(whole);
  if (table.titles.join() !== expected.titles.join()) return 'has other columns';
  for (const [index, { values }] of expected.rows.entries()) {
    const { line, values: found } = table.rows[index] ?? { line: 0, values: new Map<string, string>() };
    const column = expected.titles.find((title) => found.get(title) !== values.get(title));
    if (column !== undefined) return `differs from the change ${changes[index]?.id} in line ${line}, column ${column}`;
  }
  return 'is written in another way than the service writes it';
}

/** The names in the table, of each id the last. */
function namesIn({ rows }: CsvTable, changes: readonly Change[]): KnownNames {
  const users = new Map<string, string>();
  const applications = new Map<string, string>();
  const add = (to: Map<string, string>, id: string | undefined, name: string | undefined) => {
    if (id !== undefined && name) to.set(id, name);
  };
  for (const [index, { appId, userId, caller }] of changes.entries()) {
    const values = rows[index]?.values;
    add(users, userId, values?.get('userName'));
    add(applications, appId, values?.get('appName'));
    // An application without a name is shown by its id.
    const byName = values?.get('byName');
    if (caller.kind === 'api-key' && byName !== caller.appId) add(applications, caller.appId, byName);
  }
  return { users, applications };
}
