import type { AskedUsers } from './asked-users.ts';
import type { ReplicaState } from './decide-locally.ts';
import { addPage, type Knowledge, type Page } from './knowledge.ts';
import type { Loading } from './loading.ts';
import {
  followChanges,
  loadSnapshot,
  type Poll,
  type ReadService,
  type Snapshot,
  snapshotPageSize,
} from './read-service.ts';
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

/** A page of a snapshot takes about as long as so many pages of changes. */
const pagesOfChanges = 5;
/** So many pages of changes are always followed. */
const fewestPages = 50;

/** How many pages of changes take as long as a snapshot of as much as is known. */
function pagesOfSnapshot({ users }: ReplicaState): number {
  return Math.max(fewestPages, pagesOfChanges * Math.ceil(users.size / snapshotPageSize));
}

/**
 * Returns the step of a poll that brings the data up to date: by the snapshot that is being loaded, otherwise by the changes, and
 * by a snapshot after all if they have taken as long as one. It throws if a request fails; what has been applied until then stays
 * valid. `mayRepair`: whether it may also read what a repair needs.
 */
export function createCatchUp({ read, clock, knowledge, asked, loading }: CatchUpParts, repair: Repair) {
  /** Whether the last poll was complete, so that this one begins with the first change that has no number. */
  let isWhole = false;

  /** Applies the changes after the state's cursor, and notes how current they are, unless it gives up. */
  async function applyChanges(state: ReplicaState, apply: (page: Page) => void, mostPages?: number): Promise<Poll> {
    const setKnown = clock.ask();
    const forgetAndApply = (page: Page) => {
      asked.forget((page.unsigned ?? []).map(({ userId }) => userId));
      apply(page);
    };
    const wasWhole = isWhole;
    isWhole = false;
    const poll = await followChanges(read, state, forgetAndApply, mostPages);
    isWhole = poll.isComplete;
    if (isWhole) setKnown(poll.date);
    return wasWhole ? poll : { ...poll, omits: true };
  }

  /** The users of whom earlier changes may come once more: what a poll leaves out is of users whose order is known. */
  function openOf({ seen, omits }: Poll): ReadonlySet<string> {
    return omits ? new Set([...seen, ...knowledge.ordered]) : seen;
  }

  /** Reads a snapshot and the changes since, and only then replaces the data: until then, the known data decides. */
  async function load(snapshot: Snapshot): Promise<void> {
    const state = await loadSnapshot(read, snapshot);
    // The first poll after a snapshot leaves nothing out; one that continues after a failure may.
    isWhole = !snapshot.isFollowed;
    snapshot.isFollowed = true;
    const poll = await applyChanges(state, (page) => {
      addPage(state, page);
      snapshot.unsigned.push(...(page.unsigned ?? []));
    });
    asked.forgetAll();
    repair.reset();
    knowledge.change([...(knowledge.state?.users.keys() ?? []), ...state.users.keys()], () => {
      knowledge.state = state;
    });
    knowledge.settle(openOf(poll));
    if (loading.finish(snapshot)) repair.refuse(snapshot.unsigned);
  }

  /** Applies the changes to the known data, page by page, then what a repair has read before them. */
  async function follow(mayRepair: boolean): Promise<void> {
    const settle = mayRepair ? await repair.read() : undefined;
    const state = knowledge.state as ReplicaState;
    const apply = (page: Page) => {
      const userIds = page.facts.map(([userId]) => userId);
      repair.refuse(page.unsigned ?? []);
      knowledge.change(userIds, () => repair.doubtAll(addPage(state, page, clock.now()[0])));
      asked.forget(userIds);
    };
    const poll = await applyChanges(state, apply, pagesOfSnapshot(state));
    if (!poll.isComplete) return load(loading.begin());
    const open = openOf(poll);
    knowledge.settle(open);
    settle?.(open);
  }

  return (mayRepair: boolean): Promise<void> => {
    const { snapshot } = loading;
    return snapshot ? load(snapshot) : follow(mayRepair);
  };
}
