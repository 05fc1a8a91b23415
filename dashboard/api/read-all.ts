import type { Page } from '#shared/contract/answers.ts';

/** Collects the items of all pages, for a list that is short enough to show as a whole. */
export async function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await load(cursor);
    items.push(...page.items);
    if (page.cursor === null) return items;
    cursor = page.cursor;
  }
}
