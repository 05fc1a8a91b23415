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
import { type ExportedChange, followLinks, subjectOf } from '#shared/integrity/chain-breaks.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError } from '../terminal/cli-error.ts';
import { readExportedChanges } from './read-exported-changes.ts';

export interface VerifyOptions {
  /** The application whose history it is. Default: the history over all. */
  readonly app?: string;
}

/** What was found against one Change. */
interface Finding {
  readonly kind: string;
  readonly change: ExportedChange;
  readonly after?: ExportedChange | undefined;
}

/** The first of a kind, and how many there are. */
interface Break extends Finding {
  readonly count: number;
}

/** So often the user is told how far it is, in requests. */
const noteRequests = 20;

/**
 * Verifies an export: the links by itself, the MACs by the service, which alone has the key and is sent nothing personal.
 * Names the first break of each kind, and fails when there is one.
 */
export async function verifyHistory(context: CommandContext<VerifyOptions>, file: string): Promise<void> {
  const changes = await readExportedChanges(file, context.terminal);
  const { app: appId } = context.options;
  const { broken, ...links } = followLinks(changes, { ...(appId !== undefined && { appId }) });
  const breaks = firstOfEachKind([...(await findChanged(context, changes)), ...broken]);
  const summary = { checked: changes.length, ...links };
  context.show({ ...summary, breaks: breaks.map(breakView) }, ...breaks.map(sentence), said(summary));
  if (breaks.length > 0) throw new CliError('The history is not as the service wrote it.');
}

interface Pending {
  readonly change: ExportedChange;
  readonly posted: PostedChange;
}

/** Asks the service, one request after the other, each as large as it may be. */
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
      terminal.note(`Verified the MACs of ${index + 1} of ${batches.length} parts …`);
  }
  return findings;
}

/** What the service never wrote, it need not be asked about. */
function isVerifiable(redacted: object | undefined): redacted is PostedChange {
  return v.is(postedChangeSchema, redacted) && sizeOf(redacted) + sizeOf({ changes: [] }) <= maxBodyBytes;
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function findingOf(change: ExportedChange, answer: ChangeVerdict | undefined): Finding[] {
  return answer?.verdict === 'unchanged' ? [] : [{ kind: answer?.verdict ?? 'changed', change }];
}

/** As many as one request takes. */
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

function breakView({ kind, change, after, count }: Break) {
  return { kind, id: change.id, at: change.at, subject: subjectOf(change), after: after?.id ?? null, count };
}

const meanings: Readonly<Record<string, string>> = {
  changed: 'was changed: its MAC is wrong',
  'unknown-root': 'cannot be verified: the service has no such root',
  'without-mac': 'has no MAC',
  'missing-before': 'does not follow the one before it: something between them is missing',
  'two-successors':
    'follows a change that another one follows already: the table was set back, or one of them is forged',
  'begins-again': 'begins a chain, and an earlier one has not ended: it was cut off',
};

function sentence({ kind, change, after, count }: Break): string {
  const { id, at, action } = change;
  const before = after === undefined ? '' : `, after ${after.id}`;
  const more = count > 1 ? ` (${count} such breaks in all)` : '';
  return `BROKEN: ${action} ${id} of ${at} (${subjectOf(change)}) ${meanings[kind]}${before}.${more}`;
}

interface Summary {
  readonly checked: number;
  readonly subjects: number;
  readonly withoutBeginning: number;
}

function said({ checked, subjects, withoutBeginning }: Summary): string {
  const begun = withoutBeginning === 0 ? '' : ` Without their beginning: ${withoutBeginning}.`;
  return `Verified ${checked} changes of ${subjects} users, accesses, roles and applications.${begun}`;
}
