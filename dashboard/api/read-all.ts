import type { Page } from '#shared/contract/answers.ts';

/** All items of a list that is short enough to be shown or chosen from as a whole, page by page. */
export async function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await load(cursor);
    items.push(...page.items);
    if (page.cursor === null) return items;
    cursor = page.cursor;
  }
}
