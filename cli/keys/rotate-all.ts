import { resolve } from 'node:path';
import { eachOf } from '#client/management/each-of.ts';
import { countOf } from '#shared/contract/wording.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import { untilInterrupted } from '../bulk/run-bulk.ts';
import { CliError, exitCodes, problemOfOne, withNote } from '../terminal/cli-error.ts';
import { confirm } from '../terminal/confirm.ts';
import { type Column, createTable } from '../terminal/print-table.ts';
import {
  atOnce,
  listActiveKeys,
  ofOneKey,
  ofRoot,
  planRotation,
  type RotationContext,
  rotationOf,
} from './plan-rotation.ts';
import {
  createRotation,
  type PlannedKey,
  type RotationFolder,
  type RotationOutcome,
  readRotation,
  requirePrivateFolder,
} from './rotation-folder.ts';

/** A progress line is printed on stderr after this many keys. */
const noteKeys = 25;

/**
 * Rotates every active key of a root version. The folder receives the secrets and the progress: after an interruption the same
 * command resumes, and no key is rotated twice.
 */
export async function rotateAll(context: RotationContext): Promise<void> {
  const { client, options, terminal } = context;
  const { root, overlap, dryRun } = options;
  context.announce();
  const path = resolve(terminal.cwd(), options.out);
  const command = { url: client.url, root, overlap };
  const earlier = readRotation(path, command);
  requirePrivateFolder(path);
  const planned = earlier?.keys ?? (await planRotation(context));
  if (dryRun) return showPlan(context, planned);
  if (planned.length === 0) return context.show({ keys: [] }, `${root} has no active keys.`);
  await confirmRotation(context, planned);
  const folder = earlier ?? createRotation(path, command, planned);
  const waiting = planned.filter(({ keyId }) => !isDone(folder.outcomes.get(keyId)));
  if (waiting.length < planned.length) {
    terminal.note(`Resuming: ${planned.length - waiting.length} of ${countOf(planned.length, 'key')} already done.`);
  }
  const startedAt = Date.now();
  const error = await rotateEach(context, folder, waiting).catch((failure: unknown) => failure);
  await showReport(context, folder, (Date.now() - startedAt) / 1000, error === undefined);
  if (error !== undefined) throw withResumeHint(error, context, folder);
}

function isDone(outcome: RotationOutcome | undefined): boolean {
  return outcome !== undefined && outcome.outcome !== 'failed';
}

function showPlan({ options, show, terminal }: RotationContext, keys: readonly PlannedKey[]): void {
  const columns: readonly Column<PlannedKey>[] = [
    { title: 'APPLICATION', cell: ({ appId }) => appId },
    { title: 'KEY', cell: ({ keyId }) => keyId },
  ];
  const count = `${countOf(keys.length, 'key')} of ${options.root} in ${countOf(appsOf(keys), 'application')}.`;
  show({ keys }, ...createTable(columns, terminal)(keys), `Dry run, nothing was rotated: ${count}`);
}

function appsOf(keys: readonly PlannedKey[]): number {
  return new Set(keys.map(({ appId }) => appId)).size;
}

async function confirmRotation({ options, terminal }: RotationContext, keys: readonly PlannedKey[]): Promise<void> {
  const { yes, root, overlap } = options;
  const expiry = overlap === atOnce ? 'Old keys expire immediately.' : `Old keys expire after ${overlap}.`;
  if (yes) return;
  await confirm(terminal, {
    id: root,
    action: `Rotating all keys of ${root}`,
    question: `This rotates ${countOf(keys.length, 'key')} in ${countOf(appsOf(keys), 'application')}. ${expiry} Type ${root} to continue: `,
    otherwise: 'Nothing was rotated.',
  });
}

async function rotateEach(
  context: RotationContext,
  folder: RotationFolder,
  waiting: readonly PlannedKey[],
): Promise<void> {
  const { terminal } = context;
  // The keys of one application are rotated in sequence, because they are in one item.
  const byApp = [...groupBy(waiting, ({ appId }) => appId).values()];
  let tried = 0;
  const onInterrupt = () => terminal.note('', 'Stopping after the current requests …');
  await untilInterrupted(onInterrupt, async (isInterrupted) => {
    const rotateKeys = async (keys: readonly PlannedKey[], isStopped: () => boolean) => {
      for (const key of keys) {
        if (isStopped()) return;
        await rotateOne(context, folder, key);
        tried++;
        noteProgress(context, folder);
      }
    };
    await eachOf(byApp, rotateKeys, isInterrupted);
    if (tried === waiting.length) return;
    throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
  });
}

async function rotateOne({ client, options }: RotationContext, folder: RotationFolder, old: PlannedKey): Promise<void> {
  const call = { path: old, body: rotationOf(options) };
  try {
    folder.addKey(old, await client.call('rotate-key', call, { idempotencyKey: folder.requestIdOf(old) }));
  } catch (error) {
    const { code, detail } = problemOfOne(error, ofOneKey);
    const outcome = code.endsWith('_not_found') ? 'inactive' : 'failed';
    folder.add({ ...old, outcome, code, ...(detail && { detail }) });
  }
}

function noteProgress({ terminal }: RotationContext, { outcomes, keys }: RotationFolder): void {
  if (outcomes.size % noteKeys === 0) terminal.note(`${outcomes.size} of ${countOf(keys.length, 'key')} …`);
}

const columns: readonly Column<RotationOutcome>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  { title: 'OLD KEY', cell: ({ keyId }) => keyId },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'NEW KEY', cell: ({ newKeyId, code, detail }) => newKeyId ?? [code, detail].filter(Boolean).join(': ') },
];

/** Reports the keys without secrets. A complete run also looks for keys of the root version that were issued during the run. */
async function showReport(
  context: RotationContext,
  folder: RotationFolder,
  seconds: number,
  isComplete: boolean,
): Promise<void> {
  const { show, terminal, options } = context;
  const outcomes = folder.keys.flatMap(({ keyId }) => folder.outcomes.get(keyId) ?? []);
  const count = (wanted: RotationOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const known = new Set(folder.keys.map(({ keyId }) => keyId));
  const listed = isComplete ? ofRoot(await listActiveKeys(context), options.root) : [];
  const added = listed.filter(({ keyId }) => !known.has(keyId));
  const tally = {
    rotated: count('rotated'),
    inactive: count('inactive'),
    failed: count('failed'),
    notSent: folder.keys.length - outcomes.length,
  };
  const report = { ...tally, issuedDuringRun: added, seconds: Math.round(seconds), outcomes };
  folder.writeReport(report);
  show(
    report,
    ...createTable(columns, terminal)(outcomes),
    `Rotated ${tally.rotated} of ${countOf(folder.keys.length, 'key')} in ${countOf(appsOf(folder.keys), 'application')} in ${report.seconds} s: ${tally.inactive} no longer active, ${tally.failed} failed, ${tally.notSent} not sent.`,
  );
  terminal.note(`The new keys and report.json are in ${options.out}. Hand them over, then delete the folder.`);
  if (added.length > 0) {
    throw new CliError(`Issued during the run: ${countOf(added.length, 'key')} of ${options.root}.`, {
      notes: ['Run the command again with a different folder.'],
    });
  }
  if (isComplete && tally.failed > 0) throw new CliError(`${countOf(tally.failed, 'key')} failed.`);
}

function withResumeHint(error: unknown, { again }: RotationContext, { outcomes, keys }: RotationFolder): unknown {
  return withNote(error, `${outcomes.size} of ${countOf(keys.length, 'key')} done. Resume with: ${again()}`);
}
