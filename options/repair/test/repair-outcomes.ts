import { expect } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { applicationIndexKey, applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { countersKey } from '#shared/table/keys/counters-item-keys.ts';
import { pendingKey } from '#shared/table/keys/feed-item-keys.ts';
import { allNumbered } from '#test/support/all-numbered.ts';
import { alterItem, putItems } from '#test/support/alter-item.ts';
import { anything, fresh, newMember, setInactive } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import type { AskExample, OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';
import type { Answer } from '#test/support/send-request.ts';
import { operator, type TestService } from '#test/support/start-service.ts';
import type { Finding } from '../contract/table-repair.ts';

/** The requests for a repair; what it finds is everywhere that a function may write. */
function manage(service: () => TestService) {
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
      'done, for an option': async () => {
        const { optionOutcomes } = await import('#test/support/option-outcomes.ts');
        const [damage] = optionOutcomes.flatMap((option) => option.damage ?? []);
        // Without one that keeps something of users, there is nothing more to try.
        if (damage === undefined) return { call: { query: { limit: 1 } }, status: 200 };
        const cursor = await cursorBefore(await damage(service()));
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
        await putItems(service(), { ...countersKey(foreign), correctedBlocked: 5 });
        // Ahead of the log, so that the reader of the stream does not copy over it.
        const totals = { blocked: 5, days: '20777;9' };
        await putItems(service(), { ...countersKey(appId), upTo: 900, countedAt: 0, totals });
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

/** Leads to the item of a repair with this finding: on a slow machine a request may have time for no other. */
async function cursorBefore(isWanted: (finding: Finding) => boolean, restartFeeds?: string): Promise<string> {
  const { repairTable } = await import('../server/repair-table.ts');
  let cursor: string | undefined;
  let limit = 20;
  for (;;) {
    const page = await repairTable({ limit, cursor, restartFeeds }, { ...operator, dryRun: true });
    const isFound = page.findings.some(isWanted);
    if (isFound && limit === 1 && cursor !== undefined) return cursor;
    if (isFound && limit > 1) limit = 1;
    else if (page.cursor === null) throw new Error('A repair does not find it');
    else cursor = page.cursor;
  }
}

/** What the repair adds to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  allowed: { viewer: [], admin: ['repair'] },
  global: ['repair'],
  examplesAfter: { 'resolve-users': ['repair'] },
  // It would report changes without a number.
  prepareExample: async (service, name) => (name === 'repair' ? allNumbered(service) : undefined),
  askExample,
};

/** The pages of a repair as one: a request ends its page when its time is over, which on a slow machine is early. */
async function askExample(name: string, shown: object, ask: AskExample): Promise<Answer | undefined> {
  if (name !== 'repair') return undefined;
  const first = await ask({});
  const pages = [first];
  for (let last = first; last.status === 200 && last.body.cursor !== null; pages.push(last)) {
    last = await ask({ cursor: last.body.cursor });
  }
  // How many items the table has depends on how many blocks the numbers came in.
  const { checked } = shown as { readonly checked: number };
  expect(pages.reduce((sum, { body }) => sum + body.checked, 0)).toBeGreaterThanOrEqual(checked);
  const findings = pages.flatMap(({ body }) => body.findings);
  return { ...first, body: { ...pages.at(-1)?.body, checked, findings } };
}
