import type { Change } from '#shared/contract/change.ts';
import { now } from '#shared/core/clock.ts';
import type { Repairing, RepairSubject } from '#shared/domain/request/option-repair.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import type { Finding } from '../contract/table-repair.ts';

/** A request begins nothing after this time, so that even a deletion that is begun last is done before the request must end. */
const startMilliseconds = 4000;
/** An item has at most as many things wrong as it was changed in the last moments before a takeover. */
const maxRounds = 40;

/** One request that repairs: who makes it, and what it has found. */
export class RepairRun implements Repairing {
  /** For the Changes that it writes. Nothing identifies them as one call: a repeated request finds what is left. */
  readonly context: RequestContext;
  readonly #found = new Map<string, Finding>();
  readonly #end = now().getTime() + startMilliseconds;
  #isCut = false;

  constructor(context: RequestContext) {
    this.context = { ...context, attempt: undefined };
  }

  get isDry(): boolean {
    return this.context.dryRun === true;
  }

  /** Whether there is time to begin with something. */
  hasTime(): boolean {
    return now().getTime() < this.#end;
  }

  /** Whether something is left to be done again by the next request. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** By subject, in the order in which each was found: a page's users are repaired at the same time, and any can be done first. */
  get findings(): readonly Finding[] {
    return [...this.#found.values()].sort((one, other) => subjectOf(one).localeCompare(subjectOf(other), 'en'));
  }

  /** Names what cannot be repaired: what is missing is nowhere in the table or, for counters, changes kept coming. */
  note(kind: string, subject: RepairSubject): void {
    this.#name({ kind, repaired: false, ...subject });
  }

  /** Names the Changes before which others are missing. */
  nameGaps(changes: readonly Change[]): void {
    for (const { id: changeId, userId, appId, connectionId, role } of changes) {
      const subject = { ...(userId && { userId }), ...(appId && { appId }), ...(role && { role }) };
      this.note('history-gap', { changeId, ...subject, ...(connectionId && { connectionId }) });
    }
  }

  /**
   * Names what is wrong, and repairs it unless this is a dry run. True if something was written. False also if another request
   * was faster, which is then found by reading again.
   */
  async repair(kind: string, subject: RepairSubject, entries: readonly TransactEntry[]): Promise<boolean> {
    return this.repairBy(kind, subject, async () => (await transact(entries)).kind === 'committed');
  }

  /** Applies a Change that is newer than the item. */
  async apply({ id: changeId }: Change, subject: RepairSubject, entries: readonly TransactEntry[]): Promise<boolean> {
    return this.repair('state-behind', { ...subject, changeId }, entries);
  }

  /** Finishes a deletion, which says whether it is complete. What takes longer than a request is continued by the next one. */
  async finish(subject: RepairSubject, deletion: () => Promise<boolean>): Promise<boolean> {
    const isComplete = await this.repairBy('deletion', subject, deletion);
    if (isComplete || this.isDry) return isComplete;
    this.#name({ kind: 'deletion', repaired: true, ...subject });
    this.#isCut = true;
    return false;
  }

  /** Repeats a round, which reads again, until it writes nothing. */
  async untilWhole(round: () => Promise<boolean>): Promise<void> {
    for (let count = 1; count <= maxRounds; count++) {
      if (!(await round())) return;
      if (this.hasTime()) continue;
      this.#isCut = true;
      return;
    }
  }

  /** The same as `repair`, by an operation that says whether it changed anything. */
  async repairBy(kind: string, subject: RepairSubject, change: () => Promise<boolean>): Promise<boolean> {
    const finding = { kind, repaired: true, ...subject };
    if (this.isDry) {
      this.#name(finding);
      return false;
    }
    const isChanged = await change();
    if (isChanged) this.#name(finding);
    return isChanged;
  }

  #name(finding: Finding): void {
    this.#found.set(JSON.stringify(finding), finding);
  }
}

function subjectOf({ userId = '', appId = '', role = '' }: Finding): string {
  return `${userId} ${appId} ${role}`;
}
