import { type Item, joined } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import type { Commit } from '../simulated-dynamodb.ts';
import { inactiveMarkKey, isInactiveMark, isLive, isUser, userKey } from '../stored-state.ts';

/**
 * Checks that, after every write, exactly the inactive users who are not being erased have a mark, naming the change
 * that deactivated them.
 */
export function checkInactiveMarks({ commits }: Run): string[] {
  const items = new Map<string, Item>();
  return commits.flatMap((commit) => {
    apply(items, commit);
    const userIds = new Set(
      commit.mutations.flatMap(({ pk, sk }) => {
        if (isUser({ sk })) return [pk.slice('USER#'.length)];
        return isInactiveMark({ pk }) ? [sk] : [];
      }),
    );
    return [...userIds].flatMap((userId) => wrongMark(items, userId).map((found) => `${found} at ${commit.at}`));
  });
}

function wrongMark(items: ReadonlyMap<string, Item>, userId: string): string[] {
  const user = items.get(joined(userKey(userId)));
  const mark = items.get(joined(inactiveMarkKey(userId)));
  const isInactive = isLive(user) && user.status === 'inactive';
  if (isInactive !== (mark !== undefined))
    return [`${userId} is ${isInactive ? 'inactive, but has no' : 'not inactive, but has a'} mark`];
  if (!isInactive || mark?.changeId === user.statusChangeId) return [];
  return [`${userId} is inactive by ${user.statusChangeId}, and marked by ${mark?.changeId}`];
}

function apply(items: Map<string, Item>, { mutations }: Commit): void {
  for (const mutation of mutations) {
    if (mutation.after === undefined) items.delete(joined(mutation));
    else items.set(joined(mutation), mutation.after);
  }
}
