import { maxPageSize } from '#shared/contract/limits.ts';
import type { Page } from '#shared/contract/management.ts';
import type { PageRequest } from '#shared/table/read-page.ts';

/** Whether a list has anything in it; looks behind pages that are empty because all of it was left out. */
export async function listsAny(list: (page: PageRequest) => Promise<Page<unknown>>): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit: maxPageSize, cursor });
    if (page.items.length > 0) return true;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return false;
}
