import { useQueries } from '@tanstack/react-query';
import type { Page } from '#shared/contract/answers.ts';
import type { Change, ChangeView } from '#shared/contract/change.ts';
import { describeAction } from '#shared/contract/change-words.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { Api, ReadName } from '../api/create-api.ts';
import { queryKeys } from '../api/queries.ts';
import type { Bulk } from '../options/option-pages.ts';
import { useApi } from '../session/dashboard-context.ts';

/** The changes read so far of a bulk change and of its undo. */
export interface BulkRecord {
  /** The newest first. */
  readonly changes: readonly ChangeView[];
  readonly undos: readonly ChangeView[];
  /** The ids of the changes that are undone, and not done again since. */
  readonly undone: ReadonlySet<string>;
  /** Whether there may be more changes. */
  readonly isCut: boolean;
}

/** Sorts the changes with the id of a bulk. An undo can be undone too. */
export function bulkRecordOf(found: readonly ChangeView[], isCut: boolean): BulkRecord {
  const ordered = found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const undone = new Set<string>();
  /** The change of the bulk behind each undo. */
  const origins = new Map<string, string>();
  for (const { id, undoOf } of ordered) {
    if (undoOf === undefined) continue;
    const origin = origins.get(undoOf) ?? undoOf;
    origins.set(id, origin);
    if (!undone.delete(origin)) undone.add(origin);
  }
  const isUndo = ({ undoOf }: Change) => undoOf !== undefined;
  return {
    changes: found.filter((change) => !isUndo(change)),
    undos: found.filter(isUndo),
    undone,
    isCut,
  };
}

/** What a bulk did: each action, with its role, in the order of its changes. */
export function kindsOf(changes: readonly Pick<Change, 'action' | 'role'>[]): string[] {
  const kinds = changes.map((change) => [describeAction(change), change.role].filter(Boolean).join(' '));
  return [...new Set(kinds)];
}

/** How many users a bulk change changed. */
export function countUsers({ changes, isCut }: BulkRecord): string {
  const count = countOf(new Set(changes.map(({ userId }) => userId)).size, 'user');
  return isCut ? `at least ${count}` : count;
}

/** Whether a bulk change was undone, and for how many users, or changes if a user has several. */
export function describeUndone(record: BulkRecord): string {
  const { changes, undone, isCut } = record;
  if (undone.size === 0) return 'Not undone';
  const isOneEach = new Set(changes.map(({ userId }) => userId)).size === changes.length;
  const count = countOf(undone.size, isOneEach ? 'user' : 'change');
  if (isCut) return `Undone for at least ${count}`;
  if (changes.every(({ id }) => undone.has(id))) return 'Undone';
  return `Undone for ${count} of ${isOneEach ? countUsers(record) : countOf(changes.length, 'change')}`;
}

/** Reads the changes with the id of a bulk, the newest first, in at most that many requests that find any. */
export async function readBulk(
  api: Api<ReadName>,
  { bulkId, appId, maxPages, signal }: Bulk & { readonly maxPages: number; readonly signal: AbortSignal },
): Promise<BulkRecord> {
  const found: ChangeView[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; ) {
    const query = { bulkId, appId, limit: '100', cursor };
    const page: Page<ChangeView> = await api('list-all-changes', { query, signal });
    found.push(...page.items);
    if (page.cursor === null) return bulkRecordOf(found, false);
    cursor = page.cursor;
    if (page.items.length > 0) pages++;
  }
  return bulkRecordOf(found, true);
}

/** A hundred changes each: a row needs no more to name the state of most bulks. */
const maxPages = 5;

/** The newest changes of several bulks; undefined until they are known. */
export function useBulks(bulks: readonly Bulk[]): (bulkId: string) => BulkRecord | undefined {
  const api = useApi();
  const ids = [...new Map(bulks.map((bulk) => [bulk.bulkId, bulk])).values()];
  const results = useQueries({
    queries: ids.map((bulk) => ({
      queryKey: [...queryKeys.changes, 'bulk', bulk, { maxPages }],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readBulk(api, { ...bulk, maxPages, signal }),
    })),
  });
  return (bulkId) => results[ids.findIndex((bulk) => bulk.bulkId === bulkId)]?.data;
}
