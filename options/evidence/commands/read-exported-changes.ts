import { notSent } from '#cli/terminal/cli-error.ts';
import { readText } from '#cli/terminal/read-input.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import { recordOf } from '#shared/contract/change.ts';
import { changeSchema } from '#shared/contract/change-schemas.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import type { StoredItem } from '#shared/integrity/compare-state.ts';
import { capitalize, isObject, nameOf, parseJson } from './json-file.ts';
import { itemsIn } from './read-table-export.ts';

/**
 * The Changes in an export, from a file or from standard input for `-`: JSON or JSON Lines of Changes, of pages, of events of
 * the bus, whose `detail` is the Change, or of items of the table. Duplicates are removed.
 */
export async function readExportedChanges(file: string, terminal: Terminal): Promise<readonly ExportedChange[]> {
  return parseExportedChanges(await readText(file, terminal), nameOf(file));
}

/** The same in a text. */
export function parseExportedChanges(text: string, source: string): readonly ExportedChange[] {
  const changes = parseJson(text, source).flatMap(({ value, where }) => changesIn(value, where));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

function changesIn(value: unknown, where: string): ExportedChange[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => changesIn(each, `item ${index + 1} of ${where}`));
  if (isObject(value) && Array.isArray(value.items)) return changesIn(value.items, where);
  const items = itemsIn(value);
  if (items !== undefined) return items.filter(isStoredChange).map((item) => requireChange(recordIn(item), where));
  const change = isObject(value) && isObject(value.detail) ? value.detail : value;
  return [requireChange(change, where)];
}

function requireChange(change: unknown, where: string): ExportedChange {
  if (isObject(change) && isChange(change)) return recordOf(change);
  throw notSent(`${capitalize(where)} is not a change. Pass the whole, unmodified export.`);
}

function isStoredChange({ sk }: StoredItem): boolean {
  return typeof sk === 'string' && sk.startsWith('CHANGE#');
}

/** The Change of an item, without the attributes that only the table needs. */
function recordIn(item: StoredItem): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in changeSchema.entries));
}

function isChange(value: object): value is ExportedChange {
  const { id, action, integrity } = value as Readonly<Record<string, unknown>>;
  const isLinked = isObject(integrity) && typeof integrity.mac === 'string' && typeof integrity.root === 'string';
  return typeof id === 'string' && typeof action === 'string' && (integrity === undefined || isLinked);
}
