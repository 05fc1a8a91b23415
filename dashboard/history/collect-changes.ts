import type { Change } from '#shared/contract/change.ts';
import { type ChangeFormat, createChangeFile } from '#shared/csv/change-table.ts';
import type { LoadPage } from '../api/use-pages.ts';

/** More would not fit into a browser's memory with certainty. */
export const maxExported = 100_000;

export interface CollectedChanges {
  readonly file: Blob;
  readonly count: number;
  /** Whether there are more than are in the file. */
  readonly isCut: boolean;
}

export interface CollectRequest {
  readonly format: ChangeFormat;
  readonly load: LoadPage<Change>;
  readonly signal: AbortSignal;
  /** Called after each page: how many there are so far, and the time of the last. */
  readonly onProgress: (count: number, backTo: string | undefined) => void;
  /** Default: `maxExported`. */
  readonly most?: number;
}

const types: Readonly<Record<ChangeFormat, string>> = { csv: 'text/csv', json: 'application/json' };

/** Reads all pages of a list of changes into a file, as many as it may have at most. */
export async function collectChanges(request: CollectRequest): Promise<CollectedChanges> {
  const { format, load, signal, onProgress, most = maxExported } = request;
  const { begin, add, end } = createChangeFile(format);
  const parts = [begin];
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await load(cursor, signal);
    const items = page.items.slice(0, most - count);
    parts.push(add(items));
    count += items.length;
    cursor = page.cursor ?? undefined;
    onProgress(count, items.at(-1)?.at);
  } while (cursor !== undefined && count < most);
  return { file: new Blob([...parts, end], { type: types[format] }), count, isCut: cursor !== undefined };
}
