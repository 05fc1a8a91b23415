import type { Page } from '#shared/contract/answers.ts';
import type { KeyView } from '#shared/contract/api-key.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { type KeyState, readExistingApplication, readKeyUses } from '#shared/table/items/application-item.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';

/** What an operator sees of an API key. */
export function keyView(keyId: string, state: KeyState, lastUsedOn: string | null): KeyView {
  const { label, scopes, createdAt, issuedBy, expiresAt, revokedAt } = state;
  return { keyId, label, scopes, createdAt, issuedBy, expiresAt, revokedAt, lastUsedOn };
}

/** The keys of an application, the newest first. They are in one item, so a cursor is the id of a key. */
export async function listKeys({
  appId,
  limit,
  cursor,
}: PageRequest & { readonly appId: AppId }): Promise<Page<KeyView>> {
  const { keys } = await readExistingApplication(appId);
  const newestFirst = Object.entries(keys).sort(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  const start = cursor === undefined ? 0 : newestFirst.findIndex(([keyId]) => keyId === cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const page = newestFirst.slice(start, start + limit);
  const uses = await readKeyUses(page.map(([keyId]) => ({ appId, keyId })));
  const items = page.map(([keyId, state], n) => keyView(keyId, state, uses[n] ?? null));
  return { items, cursor: start + limit < newestFirst.length ? (items.at(-1)?.keyId ?? null) : null };
}
