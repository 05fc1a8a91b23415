import { createHash } from 'node:crypto';
import type { BulkCommand } from '#cli/bulk/bulk-progress.ts';
import { runForIds } from '#cli/bulk/run-bulk.ts';
import type { CommandContext } from '#cli/service/command-context.ts';
import { reasonBody } from '#cli/terminal/arguments.ts';
import { notSent } from '#cli/terminal/cli-error.ts';
import { readInput } from '#cli/terminal/read-input.ts';
import { redrawnLine } from '#cli/terminal/terminal.ts';
import { sendUntilAvailable } from '#client/management/bulk-run.ts';
import { eachOf } from '#client/management/each-of.ts';
import { batchesOf } from '#shared/contract/bulk.ts';
import { countOf } from '#shared/contract/wording.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import type { ImportedUser, ImportOutcome } from '../contract/user-import.ts';
import { type ImportFile, readImportFile } from '../import/import-file.ts';
import { checkedOutcome, type ImportPlan, lacksReason, outcomeOf, planImport } from '../import/import-plan.ts';
import { importColumns } from '../import/import-rows.ts';
import { type ImportOptions, refusal, requireConfirmed, showPlan, writeRejected } from './import-report.ts';

/**
 * Imports the users of a file. The service checks all of them before it changes the first; rejected rows are written to a file
 * that can be corrected and imported.
 */
export async function importUsers(context: CommandContext<ImportOptions>, file: string): Promise<void> {
  const { options, terminal } = context;
  const bytes = await readInput(file, terminal);
  const read = readFile(bytes, file);
  if (read.ignored.length > 0) {
    terminal.note(`Ignored columns: ${read.ignored.join(', ')} (known: ${importColumns.join(', ')})`);
  }
  const plan = await checkAll(context, read);
  const rejected = read.rejectedRows(plan.problems);
  const rejections = writeRejected({ context, file, read }, rejected);
  showPlan(context, { plan, rejected, read });
  if (rejected.length > 0 && options.skipRejected !== true) throw refusal(read, rejected, rejections);
  for (const note of rejections) terminal.note(note);
  requireConfirmed(plan, options);
  if (options.dryRun === true) return;
  const digest = createHash('sha256').update(bytes).digest('base64url');
  await run(context, { file, read, plan, command: { status: `import ${digest}`, ...reasonBody(options) } });
}

function readFile(bytes: Uint8Array, file: string): ImportFile {
  try {
    return readImportFile(bytes);
  } catch (error) {
    if (error instanceof CsvError) throw notSent(`${file}: ${error.message} Nothing was changed.`);
    throw error;
  }
}

type Confirmed = Pick<ImportOptions, 'reactivate' | 'unblock'>;

/** Sends users as they are in the file. */
async function send(
  { client, options }: CommandContext<ImportOptions>,
  { creates }: ImportFile,
  {
    idempotencyKey,
    ...body
  }: Confirmed & {
    readonly users: readonly ImportedUser[];
    readonly bulkId?: string;
    readonly dryRun?: boolean;
    readonly idempotencyKey?: string;
  },
): Promise<readonly ImportOutcome[]> {
  const asked = { body: { ...body, create: creates, ...reasonBody(options) } };
  const { items } = await client.call('import-users', asked, { idempotencyKey });
  return items;
}

/**
 * Asks the service what the file would change, as if everything were confirmed; again about users for whom it was unavailable, as in
 * the import itself.
 */
async function checkAll(context: CommandContext<ImportOptions>, read: ImportFile): Promise<ImportPlan> {
  const { users } = read;
  const line = redrawnLine(context.terminal);
  const outcomes: ImportOutcome[] = [];
  const check = async (batch: readonly ImportedUser[]) => {
    const checked = await sendUntilAvailable(
      batch.map(({ userId }) => userId),
      async (userIds) => {
        const waiting = batch.filter(({ userId }) => userIds.includes(userId));
        const asked = { users: waiting, dryRun: true, reactivate: true, unblock: true };
        return (await send(context, read, asked)).map(checkedOutcome);
      },
    );
    outcomes.push(...checked.values());
    line.show(`Checked ${outcomes.length.toLocaleString('en')} of ${countOf(users.size, 'user')} …`);
  };
  await eachOf(batchesOf([...users.values()]), check).finally(() => line.end());
  const lacking = outcomes.flatMap(({ problems }) => problems).find(lacksReason);
  if (lacking !== undefined) throw notSent(`${lacking.detail} Nothing was changed.`, ['Add --reason <text>.']);
  return planImport(users, outcomes);
}

interface Import {
  readonly file: string;
  readonly read: ImportFile;
  readonly plan: ImportPlan;
  readonly command: Omit<BulkCommand, 'url'>;
}

async function run(context: CommandContext<ImportOptions>, { file, read, plan, command }: Import): Promise<void> {
  const { options } = context;
  const { reactivate = false, unblock = false } = options;
  const byId = new Map<string, ImportedUser>(plan.changing.map((user) => [user.userId, user]));
  const problems = new Map(plan.problems);
  const accepted = [...read.users.keys()].filter((userId) => !plan.problems.has(userId));
  const canUndo = plan.differences.some(({ effect }) => effect !== 'created' && effect !== 'updated');
  try {
    await runForIds(
      { ...context, options: { usersFile: file } },
      {
        ids: accepted,
        command,
        unchanged: accepted.filter((userId) => !byId.has(userId)),
        isChecked: true,
        batches: (ids) =>
          batchesOf(ids.flatMap((userId) => byId.get(userId) ?? [])).map((users) => users.map(({ userId }) => userId)),
        send: async ({ userIds, bulkId }, { idempotencyKey }) => {
          const users = userIds.flatMap((userId) => byId.get(userId) ?? []);
          const sent = { users, ...(bulkId && { bulkId }), reactivate, unblock, idempotencyKey };
          const items = await send(context, read, sent);
          for (const item of items) if (item.outcome === 'failed') problems.set(item.userId, item.problems);
          return { items: items.map(outcomeOf) };
        },
        undo: (bulkId) => ['bulk', 'undo', bulkId],
        canUndo,
        undoLimits: ['This keeps created users, names and e-mail addresses.'],
      },
    );
  } finally {
    if (problems.size > plan.problems.size) {
      for (const note of writeRejected({ context, file, read }, read.rejectedRows(problems)))
        context.terminal.note(note);
    }
  }
}
