import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import type { Page } from '#shared/contract/answers.ts';
import { readItems } from '#shared/table/client.ts';
import { accessOrDefault } from '#shared/table/items/access-item.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { accessKey } from '#shared/table/keys/access-item-keys.ts';
import { isWantedAccess, viewApplicationUsers } from '../access/application-users.ts';
import type { EffectiveAccessRequest } from '../access/list-effective-access.ts';
import { searchUsers } from './find-users.ts';

export interface ApplicationUserSearch extends EffectiveAccessRequest {
  /** Prefixes of words, or a whole id or e-mail address. */
  readonly q: string;
}

/**
 * The users that a search finds, in its order, with their effective access, even where nothing was ever set. Those whose access
 * is not the one asked for are left out, so a page may be short or empty with more to follow.
 */
export async function findApplicationUsers(request: ApplicationUserSearch): Promise<Page<ApplicationUserView>> {
  const { appId, q, effectiveStatus, decidedBy, limit, cursor } = request;
  const application = await readExistingApplication(appId);
  const list = JSON.stringify([appId, effectiveStatus, decidedBy]);
  const page = await searchUsers({ q, limit, cursor, list });
  const stored = await readItems(page.items.map(({ userId }) => accessKey(userId, appId)));
  const found = page.items
    .map((user, n) => ({ user, access: accessOrDefault(stored[n], user.userId, appId) }))
    .filter((read) => isWantedAccess(read, application, request));
  return { items: await viewApplicationUsers(application, found), cursor: page.cursor };
}
