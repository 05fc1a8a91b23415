import { expect } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { Finding } from '#shared/contract/table-repair.ts';
import { createUlid } from '#shared/core/ids.ts';
import { applicationIndexKey, applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { groupMemberKey } from '#shared/table/keys/directory-item-keys.ts';
import { pendingKey } from '#shared/table/keys/feed-item-keys.ts';
import { overviewKey } from '#shared/table/keys/overview-item-keys.ts';
import { alterItem, putItems, removeItem } from '../alter-item.ts';
import { newApplication } from '../new-application.ts';
import { newMemberOfDirectory } from '../new-directory.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { operator, type TestService } from '../start-service.ts';
import { anything, fresh, newMember, setInactive } from './prepare.ts';

/** The requests for a repair; what it finds is everywhere that a function may write. */
export function repairOutcomes(service: () => TestService) {
  return {
    repair: {
      done: async () => {
        const [withoutWords, active] = [await newUser(`a-${fresh()}`), await newUser(`a-${fresh()}`)];
        await alterItem(service(), [`USER#${withoutWords}`, 'USER'], ['words'], '');
        await setInactive(active);
        await alterItem(service(), [`USER#${active}`, 'USER'], ['status'], 'active');
        await newMember();
        const cursor = await cursorBefore(({ kind, userId }) => kind === 'search-words' && userId === withoutWords);
        const found = expect.objectContaining({ kind: 'search-words', userId: withoutWords });
        const answer = { checked: 20, findings: expect.arrayContaining([found]), cursor: expect.any(String) };
        return { call: { query: { limit: 20, cursor } }, status: 200, answer };
      },
      'done, for a directory': async () => {
        const { userId, connectionId, groupId } = await newMemberOfDirectory();
        const { pk, sk } = groupMemberKey(connectionId, groupId, userId);
        await removeItem(service(), [pk, sk]);
        const cursor = await cursorBefore((finding) => finding.kind === 'account' && finding.userId === userId);
        return { call: { query: { limit: 20, cursor } }, status: 200 };
      },
      'done, in the feeds': async () => {
        const feed = await putUnnumbered(service());
        const restartFeeds = new Date(Date.now() - 1000).toISOString();
        const cursor = await cursorBefore(({ kind, appId }) => kind === 'pending' && appId === feed, restartFeeds);
        return { call: { query: { limit: 20, cursor, restartFeeds } }, status: 200 };
      },
      'done, of the counters': async () => {
        const appId = (await newApplication()) as AppId;
        const foreign = fresh() as AppId;
        const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
        await numberFeed(appId);
        await putItems(service(), { ...overviewKey(foreign), correctedBlocked: 5 });
        // Ahead of the log, so that the reader of the stream does not copy over it.
        const totals = { blocked: 5, days: '20777;9' };
        await putItems(service(), { ...overviewKey(appId), upTo: 900, countedAt: 0, totals });
        const cursor = await cursorBefore((finding) => finding.kind === 'counters' && finding.appId === appId);
        return { call: { query: { limit: 100, cursor } }, status: 200 };
      },
      unchanged: async () => ({ call: { query: { limit: 1, dryRun: 'true' } }, status: 200 }),
      refused: anything,
    },
  } satisfies Partial<ManageOutcomes>;
}

/**
 * Stores an application whose feed has a place without a change, and no change that would let the stream's reader number it
 * first.
 */
async function putUnnumbered(service: TestService): Promise<AppId> {
  const [copied, appId] = [await newApplication(), fresh() as AppId];
  const stored = [...(await service.items()).values()];
  const application = stored.find(({ pk, sk }) => pk === applicationKey(copied as AppId).pk && sk === 'APP');
  const pending = { id: createUlid(new Date()), action: 'role.assigned', userId: 'nobody' as UserId } as const;
  await putItems(
    service,
    { ...application, ...applicationKey(appId), ...applicationIndexKey(appId), appId },
    { ...pendingKey(appId, pending), ...pending },
  );
  return appId;
}

/** Leads to the page of a repair with this finding. */
async function cursorBefore(isWanted: (finding: Finding) => boolean, restartFeeds?: string): Promise<string> {
  const { repairTable } = await import('#shared/domain/repair/repair-table.ts');
  let cursor: string | undefined;
  for (;;) {
    const page = await repairTable({ limit: 20, cursor, restartFeeds }, { ...operator, dryRun: true });
    if (page.findings.some(isWanted) && cursor !== undefined) return cursor;
    if (page.cursor === null) throw new Error('A repair does not find it');
    cursor = page.cursor;
  }
}
