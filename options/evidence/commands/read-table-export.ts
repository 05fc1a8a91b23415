import { notSent } from '#cli/terminal/cli-error.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import type { StoredItem } from '#shared/integrity/compare-state.ts';
import { capitalize, isObject, type Parsed, readJsonFile } from './json-file.ts';

/**
 * The items in an export of the table: the lines of DynamoDB's export to S3, or the answer of a scan.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 */
export async function readTableExport(file: string, terminal: Terminal): Promise<readonly StoredItem[]> {
  return (await readJsonFile(file, terminal)).flatMap(requireItems);
}

function requireItems(parsed: Parsed): readonly StoredItem[] {
  const items = itemsIn(parsed.value);
  if (items !== undefined) return items;
  throw notSent(`${capitalize(parsed.where)} is not an export of the table in DynamoDB JSON.`);
}

/** The items in a part of an export of the table; undefined for anything else. */
export function itemsIn(value: unknown): readonly StoredItem[] | undefined {
  if (!isObject(value)) return undefined;
  const items = Array.isArray(value.Items) ? value.Items : [value.Item];
  return items.every(isItem) ? items.map(withoutTypes) : undefined;
}

type TypedItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function isItem(item: unknown): item is TypedItem {
  return isObject(item) && isObject(item.pk) && typeof item.pk.S === 'string' && Object.values(item).every(isObject);
}

function withoutTypes(item: TypedItem): StoredItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, withoutType(value)]));
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html */
function withoutType(typed: Readonly<Record<string, unknown>>): unknown {
  const [[type, value] = []] = Object.entries(typed);
  switch (type) {
    case 'N':
      return Number(value);
    case 'NULL':
      return null;
    case 'L':
      return (value as readonly TypedItem[string][]).map(withoutType);
    case 'M':
      return withoutTypes(value as TypedItem);
    default:
      return value;
  }
}
