import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { alterItem, putItems, removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeRepair, repairPage } from '../support/repair-pages.ts';
import { operator } from '../support/start-service.ts';
import { type SdkRequest, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let operations: Awaited<ReturnType<typeof loadOperations>>;
beforeAll(async () => {
  sdk = await watchServiceTable();
  operations = await loadOperations();
});
afterEach(() => {
  sdk.fault = undefined;
});

async function loadOperations() {
  return {
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/domain/user/find-users.ts')),
    ...(await import('#shared/domain/user/search-words.ts')),
    ...(await import('#shared/domain/user/delete-user.ts')),
  };
}

let count = 100;

async function newUser(displayName: string | null = 'Ada King', email: string | null = null): Promise<UserId> {
  const userId = `searched-${++count}` as UserId;
  await operations.createUser({ userId, displayName, email }, operator);
  return userId;
}

/** As a user is stored whose entries a restored table lacks. */
async function newUserWithoutEntries(displayName: string): Promise<UserId> {
  const userId = await newUser(displayName);
  for (const [pk, sk] of await entriesOf(userId)) await removeItem(service, [pk, sk]);
  return userId;
}

/** Stores a user's search words as produced by older rules. */
async function newUserOfOlderRules(displayName: string): Promise<UserId> {
  const userId = await newUserWithoutEntries(displayName);
  const words = '0 rules';
  const item = { pk: 'FIND#ru', sk: `rules#${userId}`, userId, word: 'rules', words };
  await alterItem(service, [`USER#${userId}`, 'USER'], ['words'], words);
  await putItems(service, item);
  return userId;
}

/** Returns the keys of a user's search entries. */
async function entriesOf(userId: UserId): Promise<[pk: string, sk: string][]> {
  return [...(await service.items()).values()]
    .filter((item) => String(item.pk).startsWith('FIND#') && item.userId === userId)
    .map(({ pk, sk }) => [String(pk), String(sk)]);
}

/** A word and its ends of four characters and more. */
const ends = (word: string) => Array.from({ length: word.length - 3 }, (_, n) => word.slice(n));
const wordsOf = async (userId: UserId) => (await entriesOf(userId)).map(([, sk]) => sk.split('#')[0]).sort();
const rename = (userId: UserId, displayName: string | null) => operations.updateUser({ userId, displayName }, operator);
const found = async (q: string) => (await operations.findUsers({ q, limit: 100 })).items.map(({ userId }) => userId);

async function repairAll(limit: number) {
  let changed = 0;
  let cursor: string | undefined;
  do {
    const page = await repairPage({ limit, cursor }, operator);
    changed += page.findings.length;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return changed;
}

/** Finds where a repair has something to do for this user; it repairs only that, within the deadline of a request that waits. */
async function repairOf(userId: UserId): Promise<() => Promise<unknown>> {
  let cursor: string | undefined;
  for (;;) {
    const page = { limit: 5, cursor };
    const { findings, cursor: next } = await repairPage(page, { ...operator, dryRun: true });
    if (findings.some((finding) => finding.userId === userId)) return () => repairPage(page, operator);
    if (next === null) throw new Error(`There is nothing to repair for ${userId}`);
    cursor = next;
  }
}

/** Runs something immediately before the first transaction that writes words, as if it had been faster. */
function overtake(meanwhile: () => Promise<unknown>): void {
  sdk.fault = async ({ command, input }, send) => {
    if (command !== 'TransactWriteItemsCommand' || !JSON.stringify(input).includes('FIND#')) return send();
    sdk.fault = undefined;
    await meanwhile();
    return send();
  };
}

/** Makes a deletion fail after it has marked its user. */
function cutOffAfterOneTransaction(): void {
  let transactions = 0;
  sdk.fault = async ({ command }, send) => {
    if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw new Error('cut off');
    return send();
  };
}

const requestsOf = async (run: () => Promise<unknown>): Promise<SdkRequest[]> => {
  sdk.requests.length = 0;
  await run();
  return [...sdk.requests];
};

describe('a search', () => {
  test('takes one Query and one read of users per page, both strongly consistent', async () => {
    for (let n = 0; n < 5; n++) await newUser('Consistent Person');
    for (const q of ['consistent', 'consistent pers', 'searched-1']) {
      const requests = await requestsOf(() => operations.findUsers({ q, limit: 3 }));
      expect(requests.map(({ command }) => command)).toEqual(['QueryCommand', 'BatchGetItemCommand']);
      expect(requests[0]?.input).toMatchObject({ ConsistentRead: true });
      expect(Object.values(requests[1]?.input.RequestItems)).toEqual([
        expect.objectContaining({ ConsistentRead: true }),
      ]);
    }
  });

  test('omits a user whose new name no longer matches during the search', async () => {
    const [userId, other] = [await newUser('Vanishing Act'), await newUser('Vanishing Trick')];
    sdk.fault = async ({ command }, send) => {
      if (command !== 'BatchGetItemCommand') return send();
      sdk.fault = undefined;
      await rename(userId, 'Somebody Else');
      return send();
    };
    expect(await found('vanishing')).toEqual([other]);
  });

  test('stores names and e-mail addresses only in items that are erased with the user', async () => {
    const userId = await newUser('Quetzalcoatl', 'quetzal@example.net');
    await rename(userId, 'Quetzalcoatlus');
    const holding = [...(await service.items()).entries()].filter(([, item]) => /quetzal/i.test(JSON.stringify(item)));
    const kinds = new Set(holding.map(([key]) => key.split('#')[0]));
    expect(kinds).toEqual(new Set(['USER', 'FIND']));
    await operations.deleteUser({ userId }, operator);
    const left = [...(await service.items()).values()].filter((item) => /quetzal/i.test(JSON.stringify(item)));
    expect(left).toEqual([]);
  });
});

describe('a new name', () => {
  test('deletes and writes the entries in the transaction of the name', async () => {
    const userId = await newUser('Ada King', 'ada.k@example.net');
    const requests = await requestsOf(() => rename(userId, 'Ada Lovelace'));
    expect(requests.filter(({ command }) => command === 'TransactWriteItemsCommand')).toHaveLength(1);
    expect(await wordsOf(userId)).toEqual(
      [`${count}`, 'ada.k@example.net', 'adalovelace', 'searched', ...ends('lovelace')].sort(),
    );
  });

  test('neither deletes nor writes entries if no word changes', async () => {
    const userId = await newUser('Ada King');
    const [request] = (
      await requestsOf(() => operations.setUserStatus({ userId, status: 'inactive', reason: null }, operator))
    ).filter(({ command }) => command === 'TransactWriteItemsCommand');
    expect(JSON.stringify(request?.input)).not.toContain('FIND#');
  });
});

describeRepair('the command that repairs the search', () => {
  test('writes missing entries page by page, changes no user, and writes nothing when repeated', async () => {
    const userIds = [await newUserWithoutEntries('Yesterday One'), await newUserWithoutEntries('Yesterday Two')];
    const before = await operations.getUser({ userId: userIds[0] as UserId });
    expect(await found('yesterday')).toEqual([]);
    expect(await repairAll(2)).toBe(2);
    expect((await found('yesterday')).sort()).toEqual(userIds.sort());
    expect(await operations.getUser({ userId: before.userId as UserId })).toEqual(before);
    const transactions = (await requestsOf(() => repairAll(100))).filter(
      ({ command }) => command === 'TransactWriteItemsCommand',
    );
    expect(transactions).toEqual([]);
  });

  test('replaces words produced by older rules', async () => {
    const userId = await newUserOfOlderRules('Ruled Anew');
    await repairAll(100);
    expect(await wordsOf(userId)).toEqual([`${count}`, 'anew', 'ruledanew', 'searched', 'uled'].sort());
  });

  test('is overridden by a faster new name', async () => {
    const userId = await newUserWithoutEntries('Slow Name');
    overtake(() => rename(userId, 'Fast Name'));
    await repairAll(100);
    expect(await wordsOf(userId)).toEqual([`${count}`, 'fastname', 'name', 'searched'].sort());
  });

  test.each([
    ['no entries', newUserWithoutEntries],
    ['words by older rules', newUserOfOlderRules],
  ])('makes a slower new name of a user with %s see its entries', async (_, newOlderUser) => {
    const userId = await newOlderUser('Early Name');
    overtake(await repairOf(userId));
    await rename(userId, 'Late Name');
    expect(await wordsOf(userId)).toEqual([`${count}`, 'latename', 'name', 'searched'].sort());
  });

  test('keeps its entries when a slower change of status follows', async () => {
    const userId = await newUserWithoutEntries('Kept Name');
    const repair = await repairOf(userId);
    sdk.fault = async ({ command }, send) => {
      if (command !== 'TransactWriteItemsCommand') return send();
      sdk.fault = undefined;
      await repair();
      return send();
    };
    await operations.setUserStatus({ userId, status: 'inactive', reason: null }, operator);
    expect((await service.items()).get(`USER#${userId} USER`)).toMatchObject({
      status: 'inactive',
      words: expect.stringContaining(' kept'),
    });
    expect(await found('kept')).toEqual([userId]);
  });

  test.each([
    ['erased', () => undefined],
    ['marked as being erased', cutOffAfterOneTransaction],
  ])('writes nothing for a user who was %s in the meantime', async (_, interrupt) => {
    const userId = await newUserWithoutEntries('Gone Soon');
    overtake(async () => {
      interrupt();
      await operations.deleteUser({ userId }, operator).catch(() => undefined);
      sdk.fault = undefined;
    });
    await repairAll(100);
    expect(await entriesOf(userId)).toEqual([]);
    await operations.deleteUser({ userId }, operator);
  });
});

describe('erasing', () => {
  test('deletes all entries, even if interrupted after the mark', async () => {
    const userId = await newUser('Interrupted Person', 'interrupted@example.net');
    cutOffAfterOneTransaction();
    await expect(operations.deleteUser({ userId }, operator)).rejects.toThrow('cut off');
    sdk.fault = undefined;
    expect(await entriesOf(userId)).not.toEqual([]);
    expect(await found('interrupted')).toEqual([]);
    expect(await operations.deleteUser({ userId }, operator)).toEqual({ changed: true, complete: true });
    expect(await entriesOf(userId)).toEqual([]);
  });

  test('refuses a concurrent new name, which leaves no entry', async () => {
    const userId = await newUser('Under Way');
    overtake(() => operations.deleteUser({ userId }, operator));
    await expect(rename(userId, 'Too Late')).rejects.toMatchObject({ code: 'user_not_found' });
    expect(await entriesOf(userId)).toEqual([]);
  });

  test('leaves the entries of a user who was recreated in the meantime', async () => {
    const userId = await newUser('First Person');
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command !== 'TransactWriteItemsCommand' || ++transactions !== 2) return send();
      sdk.fault = undefined;
      await operations.deleteUser({ userId }, operator);
      await operations.createUser({ userId, displayName: 'First Again', email: null }, operator);
      return send();
    };
    await operations.deleteUser({ userId }, operator);
    expect(await wordsOf(userId)).toEqual(
      [userId.split('-')[1], 'again', 'firstagain', 'gain', 'irst', 'searched'].sort(),
    );
  });
});
