import type { Reindexing } from '#shared/contract/answers.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import { type Key, type Range, ranges } from '#shared/table/keys.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { addMissingToHistory } from './history-entries.ts';

/** A list, and the range of the changes of each item; undefined if the items are changes themselves. */
interface Step {
  readonly list: Range;
  readonly changesOf?: (owner: Item) => Range;
}

/** Together they contain every change: of users, of applications, and of erasures. */
const steps: Readonly<Record<string, Step>> = {
  users: { list: ranges.users(''), changesOf: ({ userId }) => ranges.userChanges(userId as UserId) },
  applications: { list: ranges.applications(), changesOf: ({ appId }) => ranges.ownChanges(appId as AppId) },
  erasures: { list: ranges.erasures() },
};
const names = Object.keys(steps);

/**
 * Repairs the global history: adds missing changes of a page of users, then of applications, then of erased users, such as
 * when the stream was not read in time or the table was restored. Existing entries stay, so repeating it
 * changes nothing, and a repeated run that timed out gets further.
 */
export async function reindexChanges({ limit, cursor = `${names[0]}.` }: PageRequest): Promise<Reindexing> {
  const [name = '', within] = cursor.split('.', 2);
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (step === undefined) throw foreignCursor();
  const page = await readPage(step.list, { limit, cursor: within === '' ? undefined : within });
  const counts = await reindexEach(page.items as readonly (Item & Key)[], step);
  const following = names[names.indexOf(name) + 1];
  const next = page.more ? `${name}.${page.position}` : following && `${following}.`;
  return { ...counts, cursor: next ?? null };
}

async function reindexEach(items: readonly (Item & Key)[], { changesOf }: Step) {
  const total = { checked: 0, changed: 0 };
  const add = async (changes: readonly (Item & Key)[]) => {
    const missing = await addMissingToHistory(changes);
    total.checked += changes.length;
    total.changed += missing;
  };
  if (changesOf === undefined) await add(items);
  else await mapConcurrently(items, (item) => eachPage(changesOf(item), add));
  return total;
}

async function eachPage(range: Range, take: (items: readonly (Item & Key)[]) => Promise<void>): Promise<void> {
  let after: Item | undefined;
  do {
    const page = await queryItems(range, { limit: 100, after });
    await take(page.items);
    after = page.next;
  } while (after !== undefined);
}
