import type { Change } from '#shared/contract/change.ts';
import { type ChangeFormat, createChangeFile } from '#shared/csv/change-table.ts';
import type { LoadPage } from '../api/use-pages.ts';

/** More might not fit into the browser's memory. */
export const maxExported = 100_000;

export interface CollectedChanges {
  readonly file: Blob;
  readonly count: number;
  /** Whether older changes were left out of the file. */
  readonly isCut: boolean;
}

export interface CollectRequest {
  readonly format: ChangeFormat;
  readonly load: LoadPage<Change>;
  readonly signal: AbortSignal;
  /** Called after each page with the number of changes so far and the time of the last one. */
  readonly onProgress: (count: number, backTo: string | undefined) => void;
  /** Default: `maxExported`. */
  readonly most?: number;
}

const types: Readonly<Record<ChangeFormat, string>> = { csv: 'text/csv', json: 'application/json' };

/** Reads all pages of a list of changes into a file, up to the limit. */
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
