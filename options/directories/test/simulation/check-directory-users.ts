import type { Run } from '#test/simulation/run-seed.ts';
import type { Commit } from '#test/simulation/simulated-dynamodb.ts';
import {
  accountKey,
  accountOf,
  isChange,
  isLive,
  type StoredAccount,
  type StoredChange,
  userKey,
  userOf,
} from '#test/simulation/stored-state.ts';
import { type Item, joined } from '../../../../local/memory/memory-table.ts';
import { directoriesIn } from './directories.ts';

/**
 * Checks that, in every write, a directory changes only users whom it manages, and their status only if it says another one than
 * before; that it takes over only users whom no directory manages, if it may; and that a name belongs to one of its users.
 */
export function checkDirectoryUsers({ commits, actors }: Run): string[] {
  const directories = directoriesIn({ actors });
  if (directories.length === 0) return [];
  const takesOver = new Set(
    directories.filter(({ swarm }) => swarm.takeover === 'matching').map(({ swarm }) => swarm.connectionId),
  );
  const items = new Map<string, Item>();
  return commits.flatMap((commit) => {
    const written = new Written(commit, items);
    const found = [...written.wrongChanges(takesOver), ...written.wrongStatuses(), ...written.sharedNames()];
    return found.map((wrong) => `${wrong} at ${commit.at}`);
  });
}

/** One write, with what was stored before it and what is stored after it. */
class Written {
  readonly #commit: Commit;
  readonly #after: Map<string, Item>;
  readonly #before = new Map<string, Item | undefined>();

  /** Applies the write to the items. */
  constructor(commit: Commit, items: Map<string, Item>) {
    this.#commit = commit;
    this.#after = items;
    for (const mutation of commit.mutations) {
      this.#before.set(joined(mutation), items.get(joined(mutation)));
      if (mutation.after === undefined) items.delete(joined(mutation));
      else if (isKept(mutation)) items.set(joined(mutation), mutation.after);
    }
  }

  wrongChanges(takesOver: ReadonlySet<string>): string[] {
    return this.#commit.mutations.flatMap(({ sk, before, after }) => {
      if (!isChange({ sk }) || before !== undefined || after === undefined) return [];
      const change = after as unknown as StoredChange;
      const { connectionId = '' } = change.caller;
      if (change.caller.kind !== 'connection') return [];
      const wrong = this.#wrongChange(change, { connectionId, takesOver: takesOver.has(connectionId) });
      return wrong === undefined ? [] : [`${change.requestId} ${change.action} of ${change.userId}: ${wrong}`];
    });
  }

  #wrongChange(
    { userId = '', action, before, after }: StoredChange,
    { connectionId, takesOver }: { readonly connectionId: string; readonly takesOver: boolean },
  ): string | undefined {
    const account = accountOf(this.#stored(accountKey(userId), 'before'));
    const next = accountOf(this.#stored(accountKey(userId), 'after'));
    if (next?.connectionId !== connectionId) return 'the directory does not manage the user afterwards';
    if (account === undefined) {
      if (!action.startsWith('user.')) return 'the user had no account';
      const isNew = this.#status(userId, 'before') === undefined;
      return isNew || takesOver ? undefined : 'the user existed, and the directory takes over nobody';
    }
    if (account.connectionId !== connectionId) return 'another directory manages the user';
    if (account.removed && !action.startsWith('user.') && action !== 'role.revoked')
      return 'the directory has removed the user';
    const { version: _, ...from } = before ?? {};
    const { version: __, ...to } = after ?? {};
    return JSON.stringify(from) === JSON.stringify(to) && before !== null ? 'nothing changed' : undefined;
  }

  wrongStatuses(): string[] {
    return this.#accounts().flatMap(({ before, after }) => {
      if (after === undefined) return [];
      const { userId } = after;
      const [was, is] = [this.#status(userId, 'before'), this.#status(userId, 'after')];
      const said = after.active ? 'active' : 'inactive';
      // Whom a directory takes over is not activated by it.
      const isSaid = before === undefined ? !after.active || was === undefined : before.active !== after.active;
      const expected = isSaid ? said : was;
      return is === expected ? [] : [`the directory says that ${userId} is ${said}, who was ${was} and is ${is}`];
    });
  }

  sharedNames(): string[] {
    const written = this.#accounts().flatMap(({ after }) => after ?? []);
    if (written.length === 0) return [];
    const all = [...this.#after.values()].flatMap((item) => accountOf(item) ?? []);
    return written.flatMap((account) =>
      all
        .filter((other) => other.connectionId === account.connectionId && other.userId !== account.userId)
        .filter((other) => sharesName(account, other) || sharesExternalId(account, other))
        .map((other) => `${account.userId} has a name of ${other.userId}: ${account.userName}, ${account.externalId}`),
    );
  }

  #accounts() {
    return this.#commit.mutations.flatMap(({ pk, sk, before, after }) => {
      const accounts = { before: accountOf(before), after: accountOf(after) };
      return sk === accountKey('').sk && pk.startsWith(userKey('').pk) ? [accounts] : [];
    });
  }

  /** Of a user who exists; undefined for one who is being erased. */
  #status(userId: string, when: 'before' | 'after'): unknown {
    const user = userOf(this.#stored(userKey(userId), when));
    return isLive(user) ? user.status : undefined;
  }

  #stored(key: { readonly pk: string; readonly sk: string }, when: 'before' | 'after'): Item | undefined {
    const name = joined(key);
    return when === 'before' && this.#before.has(name) ? this.#before.get(name) : this.#after.get(name);
  }
}

function isKept({ sk }: { readonly sk: string }): boolean {
  return sk === accountKey('').sk || sk === userKey('').sk;
}

function sharesName(one: StoredAccount, other: StoredAccount): boolean {
  return !one.removed && !other.removed && one.userName.toLowerCase() === other.userName.toLowerCase();
}

function sharesExternalId(one: StoredAccount, other: StoredAccount): boolean {
  return one.externalId !== null && one.externalId === other.externalId;
}
