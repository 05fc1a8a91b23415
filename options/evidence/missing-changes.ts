import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';

/** What an export should contain. */
export interface Demand<Wanted> {
  /** The demanded changes that the export lacks. */
  readonly missing: readonly Wanted[];
  /** The number of those that are older than the export, which is right if they have expired. */
  readonly older: number;
}

/** What an export is searched for: a change that somebody else has seen. */
export interface WantedChange extends Pick<ExportedChange, 'userId'> {
  readonly mac: string;
  readonly at: string;
  /** Default: unknown. */
  readonly action?: string;
}

/**
 * Looks for changes that somebody else has seen. The changes of a user who was erased later are not demanded, except for the
 * erasures themselves; the erasure must be in the export.
 */
export function missingChanges<Wanted extends WantedChange>(
  wanted: readonly Wanted[],
  exported: readonly ExportedChange[],
): Demand<Wanted> {
  const macs = new Set(exported.map(({ integrity }) => integrity?.mac));
  const first = exported.map(atOf).reduce((lowest, at) => (at < lowest ? at : lowest), atOf(exported[0]));
  const erased = new Map<string | undefined, string>();
  for (const change of exported) {
    const { action, userId } = change;
    if (action === 'user.deleted' && atOf(change) > (erased.get(userId) ?? '')) erased.set(userId, atOf(change));
  }
  const absent = wanted.filter(({ mac, at, userId, action }) => {
    const isErased = userId !== undefined && action !== 'user.deleted' && at < (erased.get(userId) ?? '');
    return !macs.has(mac) && !isErased;
  });
  const missing = absent.filter(({ at }) => at >= first);
  return { missing, older: absent.length - missing.length };
}

/** Times of changes have one format, so they compare as texts; the empty one of no change precedes all. */
function atOf(change: ExportedChange | undefined): string {
  return String(change?.at ?? '');
}
