import * as v from 'valibot';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import {
  type ChangeVerdict,
  maxChangesToVerify,
  type PostedChange,
  postedChangeSchema,
  type verifyChangesOperation,
} from '#shared/contract/history.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type ExportedChange, followLinks, subjectOf } from '#shared/integrity/chain-breaks.ts';
import { type FoldedChanges, foldChanges } from '#shared/integrity/fold-changes.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError } from '../terminal/cli-error.ts';
import { readExportedChanges } from './read-exported-changes.ts';
import { readTableExport } from './read-table-export.ts';
import { reportState } from './report-state.ts';

export interface VerifyOptions {
  /** The application of an exported application history. Default: the export is the global history. */
  readonly app?: string;
  /** An export of the table, to compare with the changes. Default: none. */
  readonly state?: string;
}

/** A break found at one Change. */
interface Finding {
  readonly kind: string;
  readonly change: ExportedChange;
  readonly after?: ExportedChange | undefined;
  /** The members that differ. */
  readonly names?: readonly string[];
}

/** The first break of a kind, and the number of such breaks. */
interface Break extends Finding {
  readonly count: number;
}

/** A progress line is printed after this many requests. */
const noteRequests = 20;

/**
 * Verifies an export: the links locally, and the MACs through the service, which alone has the key and receives no personal
 * data. Prints the first break of each kind, and fails if there is one.
 */
export async function verifyHistory(context: CommandContext<VerifyOptions>, file: string): Promise<void> {
  const changes = await readExportedChanges(file, context.terminal);
  const changed = await findChanged(context, changes);
  const unverified = new Set(changed.map(({ change }) => change));
  const { broken, ...links } = followLinks(changes, { appId: context.options.app, unverified });
  const folded = foldChanges(changes.filter((change) => change.integrity !== undefined && !unverified.has(change)));
  const discontinuities = folded.discontinuities.map((each) => ({ kind: 'before-differs', ...each }));
  const breaks = firstOfEachKind([...changed, ...broken, ...discontinuities]);
  const summary = { checked: changes.length, ...links };
  const state = await stateReport(context, folded);
  context.show(
    { ...summary, breaks: breaks.map(breakView), ...state?.view },
    ...breaks.map(sentence),
    ...(state?.lines ?? []),
    summarize(summary),
  );
  if (breaks.length > 0) throw new CliError('The export does not match the history that the service wrote.');
  if (state?.isSound === false) throw new CliError('The table does not match its history.');
}

async function stateReport({ options, terminal }: CommandContext<VerifyOptions>, folded: FoldedChanges) {
  return options.state === undefined ? undefined : reportState(folded, await readTableExport(options.state, terminal));
}

interface Pending {
  readonly change: ExportedChange;
  readonly posted: PostedChange;
}

/** Sends the Changes to the service, in sequential requests of the maximum size. */
async function findChanged(
  { client, terminal }: CommandContext<VerifyOptions>,
  changes: readonly ExportedChange[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const pending: Pending[] = [];
  for (const change of changes) {
    if (change.integrity === undefined) continue;
    const posted = redactChange(change);
    if (isVerifiable(posted)) pending.push({ change, posted });
    else findings.push({ kind: 'changed', change });
  }
  const batches = packed(pending);
  for (const [index, batch] of batches.entries()) {
    const body = { changes: batch.map(({ posted }) => posted) } as BodyInput<typeof verifyChangesOperation>;
    const { items } = await client.call('verify-changes', { body });
    findings.push(...batch.flatMap(({ change }, at) => findingOf(change, items[at])));
    if ((index + 1) % noteRequests === 0)
      terminal.note(`Verified the MACs: request ${index + 1} of ${batches.length} …`);
  }
  return findings;
}

/** Whether the service can have written the Change; any other need not be sent. */
function isVerifiable(redacted: object | undefined): redacted is PostedChange {
  return v.is(postedChangeSchema, redacted) && sizeOf(redacted) + sizeOf({ changes: [] }) <= maxBodyBytes;
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function findingOf(change: ExportedChange, answer: ChangeVerdict | undefined): Finding[] {
  return answer?.verdict === 'unchanged' ? [] : [{ kind: answer?.verdict ?? 'changed', change }];
}

/** Batches of Changes that each fit one request. */
function packed(pending: readonly Pending[]): Pending[][] {
  const batches: Pending[][] = [];
  let bytes = 0;
  for (const each of pending) {
    const size = sizeOf(each.posted) + 1;
    const last = batches.at(-1);
    if (last === undefined || last.length === maxChangesToVerify || bytes + size > maxBodyBytes) {
      batches.push([each]);
      bytes = sizeOf({ changes: [] }) + size;
    } else {
      last.push(each);
      bytes += size;
    }
  }
  return batches;
}

function firstOfEachKind(findings: readonly Finding[]): Break[] {
  const ordered = findings.toSorted((one, other) => (one.change.id < other.change.id ? -1 : 1));
  return [...new Set(ordered.map(({ kind }) => kind))].flatMap((kind) => {
    const same = ordered.filter((finding) => finding.kind === kind);
    return same.slice(0, 1).map((first) => ({ ...first, count: same.length }));
  });
}

function breakView({ kind, change, after, names, count }: Break) {
  const which = { kind, id: change.id, at: change.at, subject: subjectOf(change), after: after?.id ?? null };
  return { ...which, ...(names !== undefined && { names }), count };
}

const meanings: Readonly<Record<string, string>> = {
  changed: 'was altered: its MAC does not match',
  'unknown-root': 'cannot be verified: the service does not have its root key',
  'without-mac': 'has no MAC',
  'missing-before': 'does not follow the change before it: changes between them are missing',
  'two-successors': 'follows the same change as another one: the table was rolled back, or one of them is forged',
  'before-differs': 'does not start from the state that the change before it left: the item was altered in the table',
  'begins-again': 'starts a new chain although the earlier one has not ended: earlier changes were cut off',
};

function sentence({ kind, change, after, names = [], count }: Break): string {
  const { id, at, action } = change;
  const before = after === undefined ? '' : ` (previous change: ${after.id})`;
  const differing = names.length > 0 ? `, in ${names.join(', ')}` : '';
  const more = count > 1 ? ` (${count.toLocaleString('en')} breaks of this kind)` : '';
  return `BROKEN: ${action} ${id} at ${at} (${subjectOf(change)}) ${meanings[kind]}${differing}${before}.${more}`;
}

interface Summary {
  readonly checked: number;
  readonly subjects: number;
  readonly withoutBeginning: number;
}

function summarize({ checked, subjects, withoutBeginning }: Summary): string {
  const verified = `Verified ${countOf(checked, 'change')} in ${historiesOf(subjects)}.`;
  if (withoutBeginning === 0) return verified;
  return `${verified} ${historiesOf(withoutBeginning)} ${withoutBeginning === 1 ? 'starts' : 'start'} before this export.`;
}

function historiesOf(count: number): string {
  return countOf(count, 'history', 'histories');
}
