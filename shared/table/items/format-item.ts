import { isRepairedFormat, tableFormat, tableFormatKey } from '#shared/contract/table-format.ts';
import { readItems, type TransactEntry } from '../client.ts';
import { putEntry } from '../expression.ts';

/** What says that the table has the format of this version. */
export function putFormatEntry(): TransactEntry {
  return putEntry({ ...tableFormatKey, format: tableFormat });
}

/** What raises the format of a table that a repair has brought to that of this version; undefined if it has it already. */
export async function raiseFormatEntry(): Promise<TransactEntry | undefined> {
  const [item] = await readItems([tableFormatKey]);
  if (!isRepairedFormat(item?.format)) return undefined;
  return putEntry({ ...tableFormatKey, format: tableFormat }, { equals: { format: item?.format } });
}
