import { createHash } from 'node:crypto';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { isUserId, type UserId } from '#shared/contract/fields.ts';
import type { NamedUser } from '#shared/contract/user.ts';
import { CsvError, decodeCsv, readTable } from '#shared/csv/read-csv.ts';
import { CliError, notSent } from './cli-error.ts';
import type { CommandContext } from './command-context.ts';
import type { ManageClient } from './manage-client.ts';
import { readInput } from './read-input.ts';
import { runBulk } from './run-bulk.ts';

export interface ImportOptions {
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}

/** A user as the file has it; a column that is not there says nothing, an empty cell clears. */
interface ImportedUser {
  readonly userId: UserId;
  readonly displayName?: string | null;
  readonly email?: string | null;
  readonly status?: UserStatus;
}

/** Creates and updates the users of a CSV file. A user who is as the file says stays untouched. */
export async function importUsers(context: CommandContext<ImportOptions>, file: string): Promise<void> {
  const { client, options, terminal } = context;
  const bytes = await readInput(file, terminal);
  const { users, ignored } = readUsers(bytes, file);
  if (ignored.length > 0) terminal.note(`Columns that are ignored: ${ignored.join(', ')}`);
  const byId = new Map<string, ImportedUser>(users.map((user) => [user.userId, user]));
  const digest = createHash('sha256').update(bytes).digest('base64url');
  await runBulk(
    { ...context, options: { ...options, usersFile: file } },
    {
      ids: [...byId.keys()],
      command: { status: `import ${digest}` },
      send: async ({ userIds, dryRun }) => {
        const wanted = userIds.flatMap((userId) => byId.get(userId) ?? []);
        return { items: await importBatch(client, wanted, dryRun ?? false) };
      },
    },
  );
}

const columns = ['userId', 'displayName', 'email', 'status'];
const maxShownMistakes = 10;

/** The users of a file; one mistake rejects the whole, so that a wrong file is never applied in part. */
function readUsers(bytes: Uint8Array, file: string): { users: ImportedUser[]; ignored: readonly string[] } {
  const { titles, rows } = parse(bytes, file);
  if (!titles.includes('userId')) throw notSent(`${file} has no column userId.`);
  const mistakes: string[] = [];
  const seen = new Set<string>();
  const users = rows.flatMap(({ number, values }) => {
    const userId = values.get('userId')?.trim() ?? '';
    const status = values.get('status')?.trim() ?? '';
    if (!isUserId(userId)) mistakes.push(`row ${number}: ${JSON.stringify(userId)} is no user id`);
    else if (seen.has(userId)) mistakes.push(`row ${number}: ${userId} stands there twice`);
    else if (status !== '' && !isStatus(status)) mistakes.push(`row ${number}: the status is "active" or "inactive"`);
    else {
      seen.add(userId);
      return [{ userId, ...textsOf(values), ...(isStatus(status) && { status }) }];
    }
    return [];
  });
  if (mistakes.length === 0) return { users, ignored: titles.filter((title) => !columns.includes(title)) };
  const rest = mistakes.length - maxShownMistakes;
  throw notSent(`${file} has mistakes. Nothing was sent.`, [
    ...mistakes.slice(0, maxShownMistakes),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]);
}

function parse(bytes: Uint8Array, file: string) {
  try {
    return readTable(decodeCsv(bytes));
  } catch (error) {
    if (error instanceof CsvError) throw notSent(`${file}: ${error.message}`);
    throw error;
  }
}

function isStatus(text: string): text is UserStatus {
  return (userStatuses as readonly string[]).includes(text);
}

function textsOf(values: ReadonlyMap<string, string>): Pick<ImportedUser, 'displayName' | 'email'> {
  const [displayName, email] = [values.get('displayName'), values.get('email')?.trim()];
  return {
    ...(displayName !== undefined && { displayName: displayName === '' ? null : displayName }),
    ...(email !== undefined && { email: email === '' ? null : email }),
  };
}

/** Users of one batch who are written at once. */
const usersAtOnce = 5;

/** Reads who is there by one request, then writes only the differences. */
async function importBatch(
  client: ManageClient,
  users: readonly ImportedUser[],
  dryRun: boolean,
): Promise<BulkOutcome[]> {
  const { items } = await client.call('resolve-users', { body: { names: users.map(({ userId }) => userId) } });
  const current = new Map(items.map(({ name, users: found }) => [name, found.find(({ userId }) => userId === name)]));
  const outcomes: BulkOutcome[] = [];
  for (let from = 0; from < users.length; from += usersAtOnce) {
    const some = users.slice(from, from + usersAtOnce);
    const write = (user: ImportedUser) => importUser(client, user, { current: current.get(user.userId), dryRun });
    outcomes.push(...(await Promise.all(some.map(write))));
  }
  return outcomes;
}

async function importUser(
  client: ManageClient,
  wanted: ImportedUser,
  { current, dryRun }: { readonly current: NamedUser | undefined; readonly dryRun: boolean },
): Promise<BulkOutcome> {
  const { userId } = wanted;
  const steps = stepsOf(client, wanted, current);
  try {
    if (!dryRun) for (const step of steps) await step();
    return { userId, outcome: steps.length === 0 ? 'unchanged' : 'changed' };
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== 1) throw error;
    const [, detail = error.message, code = 'refused'] = /^(.*) \((\w+)\)$/s.exec(error.message) ?? [];
    return { userId, outcome: 'failed', problem: { code, detail } };
  }
}

/** What makes a user what the file says, in this order. */
function stepsOf(
  client: ManageClient,
  { userId, status = 'active', ...texts }: ImportedUser,
  current: NamedUser | undefined,
): (() => Promise<unknown>)[] {
  const path = { userId };
  const setStatus = () => client.call('set-user-status', { path, body: { status, reason: 'import' } });
  if (current === undefined) {
    const create = () => client.call('create-user', { path, body: texts });
    return status === 'active' ? [create] : [create, setStatus];
  }
  const { displayName = current.displayName, email = current.email } = texts;
  const isSame = displayName === current.displayName && email === current.email;
  const update = () => client.call('update-user', { path, body: texts });
  return [...(isSame ? [] : [update]), ...(status === current.status ? [] : [setStatus])];
}
