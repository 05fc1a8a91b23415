import type { ExportedChange } from './chain-breaks.ts';

/** What an export should contain. */
export interface Demand<Wanted> {
  /** The demanded changes that the export lacks. */
  readonly missing: readonly Wanted[];
  /** The number of those that are older than the export, which is right if they have expired. */
  readonly older: number;
}

/** The part of a change by which an export is searched for it. */
export type WantedChange = Pick<ExportedChange, 'id' | 'userId'> & {
  readonly action?: string;
  readonly mac: string;
};

/**
 * Looks for changes that somebody else has seen. The changes of a user who was erased later are not demanded, except for the
 * erasures themselves; the erasure must be in the export.
 */
export function missingChanges<Wanted extends WantedChange>(
  wanted: readonly Wanted[],
  exported: readonly ExportedChange[],
): Demand<Wanted> {
  const macs = new Set(exported.map(({ integrity }) => integrity?.mac));
  const first = exported.reduce((lowest, { id }) => (id < lowest ? id : lowest), exported[0]?.id ?? '');
  const erased = new Map<string | undefined, string>();
  for (const { action, userId, id } of exported) {
    if (action === 'user.deleted' && id > (erased.get(userId) ?? '')) erased.set(userId, id);
  }
  const absent = wanted.filter(({ mac, id, userId, action }) => {
    const isErased = userId !== undefined && action !== 'user.deleted' && id < (erased.get(userId) ?? '');
    return !macs.has(mac) && !isErased;
  });
  const missing = absent.filter(({ id }) => id >= first);
  return { missing, older: absent.length - missing.length };
}
