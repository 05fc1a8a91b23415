import { groupBy } from './group-by.ts';
import type { ChangeRecord } from './redact-change.ts';

/** A Change as an export has it: all that its place in a chain follows from. */
export interface ExportedChange extends ChangeRecord {
  readonly id: string;
  readonly action: string;
  readonly appId?: string | undefined;
  readonly userId?: string | undefined;
  readonly role?: string | undefined;
  readonly before?: unknown;
}

/** How a chain can be broken: what lies between a Change and the one before it. */
export type LinkBreak =
  /** Something is missing before it. */
  | 'missing-before'
  /** It follows a Change that another one follows too. */
  | 'two-successors'
  /** It begins a chain where another one goes on. */
  | 'begins-again'
  /** It has no MAC. */
  | 'without-mac';

export interface BrokenLink {
  readonly kind: LinkBreak;
  readonly change: ExportedChange;
  /** The one before it in the export, if there is one. */
  readonly after: ExportedChange | undefined;
}

/** What the links of an export say, whether or not its MACs are right. */
export interface Links {
  readonly broken: readonly BrokenLink[];
  readonly subjects: number;
  /** Chains whose beginning is not in the export, because it is older, expired or erased, or because it was cut off. */
  readonly withoutBeginning: number;
}

/** Whose chain a Change is part of, for people and to tell one from another. */
export function subjectOf({ action, userId = '', appId = '', role }: ExportedChange): string {
  if (action.startsWith('user.')) return `user ${userId}`;
  if (userId !== '') return `access of ${userId} in ${appId}`;
  return role === undefined ? `application ${appId}` : `role ${role} of ${appId}`;
}

/**
 * Follows the chain of each subject. In the order of the ids each Change names the MAC of the one before, but where that is
 * gone for a reason: a chain begins again after a deletion, and what an erased user had done is erased. Of the history of
 * an application only the chains of that are whole: of those of users it has what concerns every application.
 */
export function followLinks(changes: readonly ExportedChange[], { appId }: { readonly appId?: string } = {}): Links {
  const ordered = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const deletions = new Deletions(ordered);
  const whole = ordered.filter((change) => appId === undefined || change.appId === appId);
  const chains = [...groupBy(whole, subjectOf).values()].map((own) => follow(own, deletions));
  return {
    broken: chains.flatMap(({ broken }) => broken).toSorted((one, other) => (one.change.id < other.change.id ? -1 : 1)),
    subjects: chains.length,
    withoutBeginning: chains.filter(({ hasBeginning }) => !hasBeginning).length,
  };
}

function follow(changes: readonly ExportedChange[], deletions: Deletions) {
  const macs = new Set<string>();
  const broken: BrokenLink[] = [];
  let last: ExportedChange | undefined;
  for (const change of changes) {
    // The same again, perhaps redacted; whether it was altered its MAC shows.
    if (macs.has(change.integrity?.mac ?? '')) continue;
    const kind = wrongLink(change, last, macs, deletions);
    if (kind !== undefined) broken.push({ kind, change, after: last });
    if (change.integrity === undefined) continue;
    macs.add(change.integrity.mac);
    last = change;
  }
  const [first] = changes;
  return { broken, hasBeginning: first?.integrity?.previous === null && isBeginning(first) };
}

function wrongLink(
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
  // What lay between two users of one id was erased, but for these two.
  return action === 'user.deleted' && last.action === 'user.deleted' ? undefined : 'missing-before';
}

/** Whether there was nothing before it. */
function isBeginning({ before }: ExportedChange): boolean {
  if (typeof before !== 'object' || before === null) return true;
  return 'version' in before && before.version === 0;
}

/** What was deleted, and when. */
class Deletions {
  readonly #users: ReadonlyMap<string | undefined, readonly ExportedChange[]>;
  readonly #applications: ReadonlySet<string | undefined>;

  constructor(ordered: readonly ExportedChange[]) {
    const deletionsOf = (action: string) => ordered.filter((change) => change.action === action);
    this.#users = groupBy(deletionsOf('user.deleted'), ({ userId }) => userId);
    this.#applications = new Set(deletionsOf('application.deleted').map(({ appId }) => appId));
  }

  /** Whether the subject of two Changes was deleted between them, so that the later one begins a chain of its own. */
  isBetween(last: ExportedChange, { id, action, userId, appId }: ExportedChange): boolean {
    if (action.startsWith('user.')) return last.action === 'user.deleted';
    // A write that was under way may begin anew what belongs to an application that is being deleted.
    if (this.#applications.has(appId)) return true;
    if (userId === undefined) return last.action === 'role.deleted';
    return this.#users.get(userId)?.some((deletion) => deletion.id > last.id && deletion.id < id) ?? false;
  }
}
