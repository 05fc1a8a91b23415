import type { Page } from '#shared/contract/management.ts';
import type { Item } from '#shared/table/client.ts';
import type { Range } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/read-page.ts';

/** A page of a range in the form that callers see; what becomes undefined is left out. */
export async function listPage<View>(
  range: Range,
  request: PageRequest,
  view: (item: Item) => View | undefined,
): Promise<Page<View>> {
  const { items, position, more } = await readPage(range, request, (item) => view(item) !== undefined);
  return { items: items.map(view).filter((one) => one !== undefined), cursor: more ? (position ?? null) : null };
}
