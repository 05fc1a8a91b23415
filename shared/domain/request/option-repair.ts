import type { ChangeAction, RecordedState } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import type { Key, Range } from '#shared/table/key.ts';

/** What a repair names as wrong: whose it is, by the ids that Changes have too. */
export interface RepairSubject {
  readonly userId?: string;
  readonly appId?: string;
  readonly connectionId?: string;
  readonly role?: string;
  readonly changeId?: string;
}

/** The run of a repair, as far as what an option adds to it needs one. The option's record lists the kinds of its findings. */
export interface Repairing {
  /** Names what cannot be repaired. */
  note(kind: string, subject: RepairSubject): void;
  /**
   * Names what is wrong, and repairs it unless this is a dry run. True if something was written. False also if another request
   * was faster, which is then found by reading again.
   */
  repair(kind: string, subject: RepairSubject, entries: readonly TransactEntry[]): Promise<boolean>;
  /** The same as `repair`, by an operation that says whether it changed anything. */
  repairBy(kind: string, subject: RepairSubject, change: () => Promise<boolean>): Promise<boolean>;
  /** Finishes a deletion, which says whether it is complete. What takes longer than a request is continued by the next one. */
  finish(subject: RepairSubject, deletion: () => Promise<boolean>): Promise<boolean>;
}

/** What an option adds to the repair of the table. */
export interface OptionRepair {
  /** Resources that are found by the partitions of the table, whatever lists say. */
  readonly resources?: readonly RepairedResource[];
  /** Repairs what the option keeps of a user; true if something was written. */
  readonly repairUser?: (user: RepairedUser, run: Repairing) => Promise<boolean>;
  /** Lists whose items have lists of their own: these are repaired after the users. */
  readonly lists?: readonly RepairedList[];
}

/** A user of a repair; undefined if there is none, or only a tombstone. */
export interface RepairedUser {
  readonly userId: UserId;
  readonly user: { readonly createdAt: string } | undefined;
  readonly deleting: boolean;
}

/** A list whose items have lists of their own. */
export interface RepairedList {
  readonly range: Range;
  readonly partsOf: (item: Item & Key) => Promise<readonly RepairedPart[]>;
}

/** A list that is repaired a page at a time. */
export interface RepairedPart {
  readonly range: Range;
  readonly repair: (items: readonly (Item & Key)[], run: Repairing) => Promise<unknown>;
}

/** The state of a resource whose Changes are a chain: with its keys, by their ids. */
export interface ChainedState {
  readonly version: number;
  readonly chainHead: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly keys: Readonly<Record<string, KeyState<string>>>;
}

/** What was read of a resource, even after it was deleted. */
export interface FoundResource<State extends ChainedState = ChainedState> {
  readonly state: State;
  readonly deleted: boolean;
}

/**
 * A resource with keys and a chain of Changes of its own, from which it is repaired. A deletion leaves its item as a tombstone.
 */
export interface RepairedResource<Found extends FoundResource = FoundResource> {
  /** The actions of its Changes, besides those of its keys. */
  readonly actions: Readonly<Record<'created' | 'updated' | 'deleted', ChangeAction>>;
  /** How the keys of its partitions begin: its own, and others whose items belong to it. */
  readonly partitions: readonly string[];
  subjectOf(id: string): RepairSubject;
  /** The key of its item, and its place in the index that lists all of them. */
  keyOf(id: string): Key;
  indexKeyOf(id: string): Item;
  /** Its Changes, the newest first. */
  changesOf(id: string): Range;
  read(id: string): Promise<Found | undefined>;
  /** The attributes that its first Change sets for good, and those that each sets anew. */
  fixedIn(id: string, recorded: RecordedState | null): Item;
  settingsIn(recorded: RecordedState | null): Item;
  /** The state as a Change records it. */
  recordedOf(state: Found['state']): RecordedState;
  /** Deletes what the deletion has left, also where a late copy of an item brought it back; true if something was deleted. */
  finishDeletion(found: Found, run: Repairing): Promise<boolean>;
}
