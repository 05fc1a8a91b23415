import { groupBy } from './group-by.ts';
import type { ChangeRecord } from './redact-change.ts';

/** A Change in an export, with the members that determine its place in a chain. */
export interface ExportedChange extends ChangeRecord {
  readonly id: string;
  readonly action: string;
  readonly appId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly role?: string | undefined;
  readonly before?: unknown;
}

/** How the link between a Change and the previous one can be broken. */
export type LinkBreak =
  /** At least one Change before it is missing. */
  | 'missing-before'
  /** Another Change has the same predecessor. */
  | 'two-successors'
  /** It starts a new chain although the current one has not ended. */
  | 'begins-again'
  /** It has no MAC. */
  | 'without-mac';

export interface BrokenLink {
  readonly kind: LinkBreak;
  readonly change: ExportedChange;
  /** The previous Change of the chain in the export, if there is one. */
  readonly after: ExportedChange | undefined;
}

/** The result of checking the links of an export, independent of whether its MACs are valid. */
export interface Links {
  readonly broken: readonly BrokenLink[];
  readonly subjects: number;
  /** Chains whose first Change is not in the export: it is older than the export, has expired, was erased or was removed. */
  readonly withoutBeginning: number;
}

/** The subject whose chain a Change belongs to: readable, and different for each subject. */
export function subjectOf({ action, userId = '', appId = '', connectionId, role }: ExportedChange): string {
  if (connectionId !== undefined) return `connection ${connectionId}`;
  if (action.startsWith('user.')) return `user ${userId}`;
  if (userId !== '') return `access of ${userId} in ${appId}`;
  return role === undefined ? `application ${appId}` : `role ${role} of ${appId}`;
}

/** Whether a Change ends its subject: what an option keeps of an application is part of its chain. */
export function isDeletion({ action }: ExportedChange): boolean {
  return /^(?:application|connection|role|user)\.deleted$/.test(action);
}

export interface LinkOptions {
  /** The application of an exported application history. Default: the export is the global history. */
  readonly appId?: string | undefined;
  /** Changes whose MAC is wrong or cannot be verified. Default: none. */
  readonly unverified?: ReadonlySet<ExportedChange>;
}

/**
 * Follows the chain of each subject: ordered by id, each Change contains the MAC of the previous one. Two gaps are legitimate:
 * a chain restarts after a deletion, and the changes of an erased user are erased. Only a verified deletion explains a gap.
 * With `appId`, the chains of users themselves are not checked, because an application's history contains only some of their
 * changes.
 */
export function followLinks(changes: readonly ExportedChange[], options: LinkOptions = {}): Links {
  const { appId, unverified = new Set() } = options;
  const ordered = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const deletions = new Deletions(ordered.filter((change) => hasMac(change) && !unverified.has(change)));
  const whole = ordered.filter((change) => appId === undefined || change.appId === appId || !hasMac(change));
  const chains = [...groupBy(whole, subjectOf).values()].map((own) => follow(own, deletions));
  return {
    broken: chains.flatMap(({ broken }) => broken).toSorted((one, other) => (one.change.id < other.change.id ? -1 : 1)),
    subjects: chains.length,
    withoutBeginning: chains.filter(({ hasBeginning }) => !hasBeginning).length,
  };
}

function hasMac({ integrity }: ExportedChange): boolean {
  return integrity !== undefined;
}

function follow(changes: readonly ExportedChange[], deletions: Deletions) {
  const macs = new Set<string>();
  const broken: BrokenLink[] = [];
  let last: ExportedChange | undefined;
  for (const change of changes) {
    // A duplicate, perhaps redacted; its MAC shows whether it was altered.
    if (macs.has(change.integrity?.mac ?? '')) continue;
    const kind = findBreak(change, last, macs, deletions);
    if (kind !== undefined) broken.push({ kind, change, after: last });
    if (change.integrity === undefined) continue;
    macs.add(change.integrity.mac);
    last = change;
  }
  const [first] = changes;
  return { broken, hasBeginning: first?.integrity?.previous === null && isBeginning(first) };
}

function findBreak(
  change: ExportedChange,
  last: ExportedChange | undefined,
  macs: ReadonlySet<string>,
  deletions: Deletions,
): LinkBreak | undefined {
  const { integrity, action } = change;
  if (integrity === undefined) return 'without-mac';
  const { previous } = integrity;
  if (last === undefined || previous === last.integrity?.mac) return undefined;
  if (previous === null) return isBeginning(change) && deletions.isBetween(last, change) ? undefined : 'begins-again';
  if (macs.has(previous)) return 'two-successors';
  // All changes between the erasures of two users with the same id have been erased.
  return action === 'user.deleted' && deletions.has(last) ? undefined : 'missing-before';
}

/** Whether the subject did not exist before this Change. */
function isBeginning({ before }: ExportedChange): boolean {
  if (typeof before !== 'object' || before === null) return true;
  return 'version' in before && before.version === 0;
}

/** The verified deletions in an export. */
class Deletions {
  readonly #all: ReadonlySet<ExportedChange>;
  readonly #users: ReadonlyMap<string | undefined, readonly ExportedChange[]>;
  readonly #applications: ReadonlySet<string | undefined>;

  constructor(ordered: readonly ExportedChange[]) {
    this.#all = new Set(ordered.filter(isDeletion));
    const deletionsOf = (action: string) => ordered.filter((change) => change.action === action);
    this.#users = groupBy(deletionsOf('user.deleted'), ({ userId }) => userId);
    this.#applications = new Set(deletionsOf('application.deleted').map(({ appId }) => appId));
  }

  has(change: ExportedChange): boolean {
    return this.#all.has(change);
  }

  /** Whether the subject of two Changes was deleted between them, so that the later one starts a new chain. */
  isBetween(last: ExportedChange, { id, action, userId, appId }: ExportedChange): boolean {
    if (action.startsWith('user.')) return this.has(last);
    // A write in progress may recreate items of an application that is being deleted.
    if (this.#applications.has(appId)) return true;
    if (userId === undefined) return this.has(last);
    return this.#users.get(userId)?.some((deletion) => deletion.id > last.id && deletion.id < id) ?? false;
  }
}
