import { createHash } from 'node:crypto';
import type { UserStatus } from '#shared/contract/access.ts';
import { type BulkOutcome, maxUsersPerBulk } from '#shared/contract/bulk.ts';
import { equalFields, mergeFields, userFields } from '#shared/contract/resource-fields.ts';
import type { NamedUser } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import type { ManageClient } from '../service/manage-client.ts';
import { notSent, problemOfOne } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';
import { type ImportedUser, importedColumns, readImportedUsers } from './read-users.ts';
import { type BulkBatch, inBatches, runBulk } from './run-bulk.ts';

export interface ImportOptions {
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
  readonly reactivate?: boolean;
}

/** Creates and updates the users of a CSV file. Users who already match the file are not touched. */
export async function importUsers(context: CommandContext<ImportOptions>, file: string): Promise<void> {
  const { client, options, terminal } = context;
  const bytes = await readInput(file, terminal);
  const { users, ignored } = readImportedUsers(bytes, file);
  if (ignored.length > 0)
    terminal.note(`Ignored columns: ${ignored.join(', ')} (known: ${importedColumns.join(', ')})`);
  const compared = await requireImportable(context, users);
  const byId = new Map<string, ImportedUser>(users.map((user) => [user.userId, user]));
  const digest = createHash('sha256').update(bytes).digest('base64url');
  await runBulk(
    { ...context, options: { ...options, usersFile: file } },
    {
      ids: [...byId.keys()],
      command: { status: `import ${digest}` },
      send: async (batch) => {
        const wanted = batch.userIds.flatMap((userId) => byId.get(userId) ?? []);
        return { items: await importBatch(client, await compare(client, wanted), { ...options, ...batch }) };
      },
      undo: (bulkId) => ['bulk', 'undo', bulkId],
      canUndo: compared.some(isStatusSet),
      undoLimits: [
        'This restores only the status of existing users. Created users, names and e-mail addresses are kept.',
      ],
    },
  );
}

/** A user in the file, and the stored user; undefined if there is none. */
interface Compared {
  readonly wanted: ImportedUser;
  readonly current: NamedUser | undefined;
}

/** Reads the stored users, a hundred per request. */
async function compare(client: ManageClient, users: readonly ImportedUser[]): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const some of inBatches(users, maxUsersPerBulk)) {
    const { items } = await client.call('resolve-users', { body: { names: some.map(({ userId }) => userId) } });
    // The id of this user may be the e-mail address of another one.
    const byId = new Map(items.map(({ name, users: found }) => [name, found.find(({ userId }) => userId === name)]));
    compared.push(...some.map((wanted) => ({ wanted, current: byId.get(wanted.userId) })));
  }
  return compared;
}

/**
 * Checks in advance for anything that would stop the import half-way: a missing --reactivate, or an error for every user.
 * Returns the users with what is stored.
 */
async function requireImportable(
  { client, options, terminal }: CommandContext<ImportOptions>,
  users: readonly ImportedUser[],
): Promise<readonly Compared[]> {
  const compared = await compare(client, users);
  const count = compared.filter(reactivates).length;
  const inactive = countOf(count, 'inactive user');
  if (count > 0 && options.reactivate !== true) {
    throw notSent(`The file activates ${inactive}. Nothing was changed.`, [
      'Add --reactivate to allow that. Leave the status empty to keep it as it is.',
    ]);
  }
  if (count > 0) terminal.note(`Activating ${inactive}.`);
  const ofEachKind = [
    compared.find(({ current }) => current === undefined),
    compared.find(isUpdated),
    compared.find(isStatusSet),
  ];
  const sample = new Set(ofEachKind.flatMap((user) => user ?? []));
  await importBatch(client, [...sample], { ...options, dryRun: true });
  return compared;
}

function reactivates({ wanted, current }: Compared): boolean {
  return wanted.status === 'active' && current?.status === 'inactive';
}

function isUpdated({ wanted, current }: Compared): boolean {
  if (current === undefined) return false;
  return !equalFields(userFields, current, mergeFields(userFields, current, wanted));
}

function isStatusSet({ wanted, current }: Compared): boolean {
  return current !== undefined && wanted.status !== undefined && wanted.status !== current.status;
}

type Batch = Pick<BulkBatch, 'bulkId' | 'dryRun'> & Pick<ImportOptions, 'reactivate'>;

/** The number of users in a batch that are written concurrently. */
const usersAtOnce = 5;

/** Writes only the differences: the fields first, user by user, then each status in bulk. */
async function importBatch(client: ManageClient, users: readonly Compared[], batch: Batch): Promise<BulkOutcome[]> {
  const outcomes = new Map<string, BulkOutcome>();
  for (const some of inBatches(users, usersAtOnce)) {
    const written = await Promise.all(some.map((user) => writeProfile(client, user, batch)));
    for (const outcome of written) outcomes.set(outcome.userId, outcome);
  }
  const remaining = users.filter(({ wanted: { userId } }) => outcomes.get(userId)?.outcome !== 'failed');
  for (const status of ['active', 'inactive'] as const) {
    const set = remaining.filter((user) => isStatusSet(user) && user.wanted.status === status);
    const items = await setStatus(client, set, { ...batch, status });
    for (const item of items) if (item.outcome !== 'unchanged') outcomes.set(item.userId, item);
  }
  await deactivateCreated(client, remaining, { ...batch, outcomes });
  return users.flatMap(({ wanted }) => outcomes.get(wanted.userId) ?? []);
}

/** Errors that concern only one user. */
const ofOneUser = ['invalid_request', 'already_exists', 'user_not_found', 'version_mismatch'];

async function writeProfile(client: ManageClient, user: Compared, batch: Batch): Promise<BulkOutcome> {
  const { userId, status: _, ...body } = user.wanted;
  if (reactivates(user) && batch.reactivate !== true) {
    return failed(userId, 'reactivates', 'Was deactivated during the import. Add --reactivate to activate the user.');
  }
  const call = { path: { userId }, query: { dryRun: batch.dryRun }, body };
  try {
    if (user.current === undefined) await client.call('create-user', call);
    else if (isUpdated(user)) await client.call('update-user', call);
    else return { userId, outcome: 'unchanged' };
    return { userId, outcome: 'changed' };
  } catch (error) {
    const { code, detail } = problemOfOne(error, ofOneUser);
    return failed(userId, code, detail);
  }
}

function failed(userId: string, code: string, detail: string): BulkOutcome {
  return { userId, outcome: 'failed', problem: { code, detail } };
}

async function setStatus(
  client: ManageClient,
  users: readonly Compared[],
  { bulkId, dryRun, status }: Batch & { readonly status: UserStatus },
): Promise<readonly BulkOutcome[]> {
  if (users.length === 0) return [];
  const userIds = users.map(({ wanted }) => wanted.userId);
  const body = { userIds, status, reason: 'import', ...(bulkId && { bulkId }), ...(dryRun && { dryRun }) };
  return (await client.call('set-user-status-in-bulk', { body })).items;
}

/**
 * Users are created active. Undoing the bulk must not activate a user whom the file lists as inactive, so this change is not
 * part of the bulk. A dry run skips it: the users do not exist, and the change cannot fail once they are created.
 */
async function deactivateCreated(
  client: ManageClient,
  users: readonly Compared[],
  { dryRun, outcomes }: Batch & { readonly outcomes: Map<string, BulkOutcome> },
): Promise<void> {
  if (dryRun) return;
  const created = users.filter(({ wanted, current }) => current === undefined && wanted.status === 'inactive');
  for (const item of await setStatus(client, created, { status: 'inactive' })) {
    if (item.outcome === 'failed') outcomes.set(item.userId, item);
  }
}
