import { subjectOf } from '#shared/integrity/chain-breaks.ts';
import type { Finding } from '#shared/integrity/check-chains.ts';

/** The first break of a kind, and the number of such breaks. */
export interface Break extends Finding {
  readonly count: number;
}

/** The first finding of each kind, in the order of their changes. */
export function firstOfEachKind(findings: readonly Finding[]): Break[] {
  const ordered = findings.toSorted((one, other) => (one.change.id < other.change.id ? -1 : 1));
  return [...new Set(ordered.map(({ kind }) => kind))].flatMap((kind) => {
    const same = ordered.filter((finding) => finding.kind === kind);
    return same.slice(0, 1).map((first) => ({ ...first, count: same.length }));
  });
}

/** A break for `--json`. */
export function breakView({ kind, change, after, names, count }: Break) {
  const which = { kind, id: change.id, at: change.at, subject: subjectOf(change), after: after?.id ?? null };
  return { ...which, ...(names !== undefined && { names }), count };
}

const meanings: Readonly<Record<string, string>> = {
  changed: 'was altered: its MAC does not match',
  'unknown-root': 'cannot be verified: the service does not have its root key',
  'without-mac': 'has no MAC',
  'not-in-export': 'was seen by the witness, and is missing from the export',
  'not-in-archive': 'is in the history of the service, and is missing from the archive',
  'missing-before': 'does not follow the change before it: changes between them are missing',
  'two-successors': 'follows the same change as another one: the table was rolled back, or one of them is forged',
  'before-differs': 'does not start from the state that the change before it left: the item was altered in the table',
  'begins-again': 'starts a new chain although the earlier one has not ended: earlier changes were cut off',
};

/** A break in words. */
export function sentence({ kind, change, after, names = [], count }: Break): string {
  const { id, at, action } = change;
  const before = after === undefined ? '' : ` (previous change: ${after.id})`;
  const differing = names.length > 0 ? `, in ${names.join(', ')}` : '';
  const more = count > 1 ? ` (${count.toLocaleString('en')} breaks of this kind)` : '';
  return `BROKEN: ${action} ${id} at ${at} (${subjectOf(change)}) ${meanings[kind]}${differing}${before}.${more}`;
}
