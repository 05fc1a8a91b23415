/** A page of a list. The SDK's code reads lists too, and compiles for older targets than the schemas of answers. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/** Collects the items of the first pages, up to a number of items; `isCut` says whether there are more. */
export async function readUpTo<Item>(
  most: number,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<{ readonly items: Item[]; readonly isCut: boolean }> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    items.push(...page.items);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && items.length < most);
  return { items: items.slice(0, most), isCut: cursor !== undefined || items.length > most };
}

/** Collects the items of all pages, for a list that is short enough to show as a whole. */
export async function readAll<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  return (await readUpTo(Number.POSITIVE_INFINITY, load)).items;
}

/** Passes each item of all pages on, for a list that may be too long to keep. */
export async function readEach<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  take: (item: Item) => unknown,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    for (const item of page.items) take(item);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}
