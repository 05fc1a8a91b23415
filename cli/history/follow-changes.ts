import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '#shared/contract/answers.ts';
import type { Change } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { type PageQuery, pageQuery } from '../service/show-pages.ts';

const pollMilliseconds = 2000;

type FetchNewest = (query: PageQuery) => Promise<Page<Change>>;
type FetchAfter = (query: { readonly after: string; readonly limit: number }) => Promise<Page<Change>>;
type Print = (changes: readonly Change[]) => void;

/** Prints the latest changes, oldest first, then each new one as it arrives; runs until the process ends. */
export async function followNewest(fetchPage: FetchNewest, print: Print, limit: number | undefined): Promise<never> {
  const { items } = await fetchPage(pageQuery(limit, undefined));
  print(items.toReversed());
  let known = new Set(items.map(({ id }) => id));
  for (;;) {
    await pause(pollMilliseconds);
    const latest = await readBackTo(known, fetchPage);
    print(latest.filter(({ id }) => !known.has(id)).toReversed());
    known = new Set(latest.map(({ id }) => id));
  }
}

/** The newest changes, read page by page back to a known one. */
async function readBackTo(known: ReadonlySet<string>, fetchPage: FetchNewest): Promise<Change[]> {
  const found: Change[] = [];
  let query = pageQuery(maxPageSize, undefined);
  for (;;) {
    const { items, cursor } = await fetchPage(query);
    found.push(...items);
    if (cursor === null || items.some(({ id }) => known.has(id))) return found;
    query = pageQuery(maxPageSize, cursor);
  }
}

/** Prints the changes after a cursor, oldest first, and returns the cursor to continue from; never returns with `follow`. */
export async function printAfter(
  fetchPage: FetchAfter,
  print: Print,
  { after, follow }: { readonly after: string; readonly follow: boolean },
): Promise<string> {
  let cursor = after;
  for (;;) {
    const page = await fetchPage({ after: cursor, limit: maxPageSize });
    print(page.items);
    cursor = page.cursor ?? cursor;
    if (page.items.length > 0) continue;
    if (!follow) return cursor;
    await pause(pollMilliseconds);
  }
}
