import type { AskedUsers } from './asked-users.ts';
import type { ReplicaState } from './decide-locally.ts';
import { addPage, type Knowledge, type Page } from './knowledge.ts';
import type { Loading } from './loading.ts';
import { followChanges, loadSnapshot, type ReadService, type Snapshot } from './read-service.ts';
import type { Repair } from './repair.ts';
import type { ServiceClock } from './service-clock.ts';

/** Where changes are read from, and what they change. */
export interface CatchUpParts {
  readonly read: ReadService;
  readonly clock: ServiceClock;
  readonly knowledge: Knowledge;
  readonly asked: AskedUsers;
  readonly loading: Loading;
}

/**
 * Returns the step of a poll that brings the data up to date: by the snapshot that is being loaded, otherwise by the changes. It
 * throws if a request fails; what has been applied until then stays valid. `mayRepair`: whether it may also read what a repair needs.
 */
export function createCatchUp({ read, clock, knowledge, asked, loading }: CatchUpParts, repair: Repair) {
  /** Applies the changes after the state's cursor, and notes how current they are. Returns the users in them. */
  async function applyChanges(state: ReplicaState, apply: (page: Page) => void): Promise<ReadonlySet<string>> {
    const setKnown = clock.ask();
    const { date, seen } = await followChanges(read, state, (page) => {
      asked.forget((page.unsigned ?? []).map(({ userId }) => userId));
      apply(page);
    });
    setKnown(date);
    return seen;
  }

  /** Reads a snapshot and the changes since, and only then replaces the data: until then, the known data decides. */
  async function load(snapshot: Snapshot): Promise<void> {
    const state = await loadSnapshot(read, snapshot);
    const seen = await applyChanges(state, (page) => {
      addPage(state, page);
      snapshot.unsigned.push(...(page.unsigned ?? []));
    });
    asked.forgetAll();
    repair.reset();
    knowledge.change([...(knowledge.state?.users.keys() ?? []), ...state.users.keys()], () => {
      knowledge.state = state;
    });
    knowledge.settle(seen);
    if (loading.finish(snapshot)) repair.refuse(snapshot.unsigned);
  }

  /** Applies the changes to the known data, page by page, then what a repair has read before them. */
  async function follow(mayRepair: boolean): Promise<void> {
    const settle = mayRepair ? await repair.read() : undefined;
    const state = knowledge.state as ReplicaState;
    const seen = await applyChanges(state, (page) => {
      const userIds = page.facts.map(([userId]) => userId);
      repair.refuse(page.unsigned ?? []);
      knowledge.change(userIds, () => repair.doubtAll(addPage(state, page, clock.now()[0])));
      asked.forget(userIds);
    });
    knowledge.settle(seen);
    settle?.(seen);
  }

  return (mayRepair: boolean): Promise<void> => {
    const { snapshot } = loading;
    return snapshot ? load(snapshot) : follow(mayRepair);
  };
}
