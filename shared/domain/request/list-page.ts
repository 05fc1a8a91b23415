import type { Page } from '#shared/contract/answers.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import type { Item } from '#shared/table/client.ts';
import type { Range } from '#shared/table/key.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';

/** A page of a range as callers see it; items without a view are left out. */
export async function listPage<View>(
  range: Range,
  request: PageRequest,
  viewOf: (item: Item) => View | undefined,
): Promise<Page<View>> {
  const { items, position, more } = await readPage(range, request, (item) => viewOf(item) !== undefined);
  return { items: items.map(viewOf).filter((view) => view !== undefined), cursor: more ? (position ?? null) : null };
}

/** Whether a list has any item; continues past pages whose items were all left out. */
export async function hasAny(list: (page: PageRequest) => Promise<Page<unknown>>): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit: maxPageSize, cursor });
    if (page.items.length > 0) return true;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return false;
}
