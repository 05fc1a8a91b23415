import type { AppId } from '#shared/contract/ids.ts';
import type { KeyView, Page } from '#shared/contract/management.ts';
import { readApplication } from '#shared/table/application.ts';
import { readKeyUses } from '#shared/table/key-use.ts';
import { foreignCursor, type PageRequest } from '#shared/table/read-page.ts';
import { keyView } from './key-view.ts';
import { presentApplication } from './present-application.ts';

/** The keys of an application, the newest first. They stand in one item, so a cursor is just the id of a key. */
export async function listKeys({
  appId,
  limit,
  cursor,
}: PageRequest & { readonly appId: AppId }): Promise<Page<KeyView>> {
  const { keys } = presentApplication(await readApplication(appId));
  const newestFirst = Object.entries(keys).sort(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  const start = cursor === undefined ? 0 : newestFirst.findIndex(([keyId]) => keyId === cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const uses = await readKeyUses(appId);
  const items = newestFirst
    .slice(start, start + limit)
    .map(([keyId, state]) => keyView(keyId, state, uses.get(keyId) ?? null));
  return { items, cursor: start + limit < newestFirst.length ? (items.at(-1)?.keyId ?? null) : null };
}
