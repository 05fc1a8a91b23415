import { type ExportedChange, followLinks, subjectOf } from './chain-breaks.ts';
import { type FoldedChanges, foldChanges } from './fold-changes.ts';
import { groupBy } from './group-by.ts';

/** A break found at one Change. */
export interface Finding {
  readonly kind: string;
  readonly change: ExportedChange;
  readonly after?: ExportedChange | undefined;
  /** The members that differ. */
  readonly names?: readonly string[];
}

export interface ChainOptions {
  /** The application of an exported application history. Default: the export is the global history. */
  readonly appId?: string | undefined;
  /** Whether changes of the chains were left out, such as those of other operators. Default: false. */
  readonly isSelection?: boolean;
}

/** What following the chains of an export found. */
export interface CheckedChains {
  /** Wrong MACs, wrong links and wrong states. */
  readonly findings: readonly Finding[];
  readonly subjects: number;
  readonly withoutBeginning: number;
  /** The verified changes. */
  readonly folded: FoldedChanges;
}

/** What can be found although changes of the chains were left out. */
const foundInSelection: ReadonlySet<string> = new Set(['without-mac', 'two-successors']);

/**
 * Follows the chains of an export, of which `changed` are the changes that the service did not write. In a selection, gaps are
 * not breaks: the changes that were left out are missing.
 */
export function checkChains(
  changes: readonly ExportedChange[],
  changed: readonly Finding[],
  { appId, isSelection = false }: ChainOptions,
): CheckedChains {
  const unverified = new Set(changed.map(({ change }) => change));
  const { broken, ...links } = followLinks(changes, { appId, unverified });
  const folded = foldChanges(changes.filter((change) => change.integrity !== undefined && !unverified.has(change)));
  const discontinuities = folded.discontinuities.map((each) => ({ kind: 'before-differs', ...each }));
  const found = isSelection ? broken.filter(({ kind }) => foundInSelection.has(kind)) : [...broken, ...discontinuities];
  return { findings: [...changed, ...found], ...links, folded };
}

/** One chain of an export. */
export interface ChainSummary {
  readonly subject: string;
  readonly changes: number;
  readonly failed: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** The chains of an export, by subject: how many changes each has, and how many of them failed. */
export function summarizeChains(changes: readonly ExportedChange[], findings: readonly Finding[]): ChainSummary[] {
  const failed = new Set(findings.map(({ change }) => change));
  return [...groupBy(changes, subjectOf)].map(([subject, own]) => {
    const times = own.map(({ at }) => String(at)).sort();
    const failures = own.filter((change) => failed.has(change)).length;
    const [firstAt, lastAt] = [times[0] ?? '', times.at(-1) ?? ''];
    return { subject, changes: own.length, failed: failures, firstAt, lastAt };
  });
}
