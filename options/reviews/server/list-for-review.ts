import { pickFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { now } from '#shared/core/clock.ts';
import { type AccessOfUser, inactivationOf, statusSources } from '#shared/domain/access/application-users.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import { readSetBy, type SettingSource } from '#shared/domain/access/read-set-by.ts';
import { type Item, readItems } from '#shared/table/client.ts';
import { accessOf, isDefaultAccess, liveGrants, ownerOf } from '#shared/table/items/access-item.ts';
import { type Application, readExistingApplication } from '#shared/table/items/application-item.ts';
import { readUsers } from '#shared/table/items/user-item.ts';
import { accessEntriesRange, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { cursorAfter, type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import type { AccessReview, ReviewedUser } from '../contract/access-review.ts';

const list = 'review';

/** The most settings on a page of more than one user; who made each of them is read from its Change. */
const maxSettings = 1000;

/**
 * Who holds what in an application, ordered by id. Read through the entries of the accesses, which do not lag as the index does:
 * a list that is reviewed must not miss anyone.
 */
export async function listForReview({
  appId,
  ...page
}: PageRequest & { readonly appId: AppId }): Promise<AccessReview> {
  const application = await readExistingApplication(appId);
  const at = now();
  const range = accessEntriesRange(appId);
  const { items, position, more } = await readPage(range, { ...page, list });
  const held = await readHeld(application, items, at);
  const shown = fitting(held);
  const last = shown.length < held.length ? shown.at(-1) : undefined;
  const setBy = await readSetBy([...reviewSource(application), ...shown.flatMap(({ sources }) => sources)]);
  const view = ({ user, access }: AccessOfUser): ReviewedUser => ({
    ...decideAccess({ application, user, access }, at),
    ...pickFields(userFields, user),
    roles: liveGrants(access, at).map(([name, { expiresAt, grantedAt, changeId }]) => {
      return { name, expiresAt, grantedAt, grantedBy: setBy(changeId) };
    }),
    statusSetBy: setBy(access.statusChangeId),
    userStatusSetBy: setBy(inactivationOf(user)),
    lastChange: setBy(access.lastChangeId),
  });
  return {
    asOf: at.toISOString(),
    lastReview: lastReviewOf(application, setBy),
    items: shown.map(view),
    cursor: last !== undefined ? cursorAfter(range, list, last.item) : more ? (position ?? null) : null,
  };
}

interface Held extends AccessOfUser {
  /** The listed entry. */
  readonly item: Item;
  readonly sources: readonly SettingSource[];
}

/** The users of the entries whose access is not the default. */
async function readHeld({ appId }: Application, items: readonly Item[], at: Date): Promise<Held[]> {
  const userIds = items.map(ownerOf);
  const [users, accesses] = await Promise.all([
    readUsers(userIds),
    readItems(userIds.map((userId) => accessKey(userId, appId))),
  ]);
  return items.flatMap((item, n): Held[] => {
    const [user, stored] = [users.get(ownerOf(item)), accesses[n]];
    if (user === undefined || stored === undefined) return [];
    const access = accessOf(stored);
    // The access of an earlier user with the same id, who was erased between the two reads.
    if (access.userCreatedAt !== user.createdAt || isDefaultAccess(access, at)) return [];
    const { userId } = user;
    const grants = liveGrants(access, at).map(([, { changeId }]) => ({ userId, changeId }));
    const sources = [...statusSources({ user, access }), ...grants, { userId, changeId: access.lastChangeId }];
    return [{ item, user, access, sources }];
  });
}

/** The first users whose settings fit on a page, at least one. */
function fitting(held: readonly Held[]): readonly Held[] {
  let count = 0;
  const end = held.findIndex(({ sources }, n) => {
    count += sources.length;
    return n > 0 && count > maxSettings;
  });
  return end < 0 ? held : held.slice(0, end);
}

function reviewSource({ appId, lastReview }: Application): SettingSource[] {
  return lastReview === undefined ? [] : [{ appId, changeId: lastReview.changeId }];
}

function lastReviewOf(
  { lastReview }: Application,
  setBy: Awaited<ReturnType<typeof readSetBy>>,
): AccessReview['lastReview'] {
  const by = setBy(lastReview?.changeId);
  return lastReview === undefined || by === null
    ? null
    : { ...by, asOf: lastReview.asOf, laterChanges: lastReview.laterChanges };
}
