import type { Writer } from '#dashboard/api/create-writer.ts';
import { askUntilKnown, inBatches } from '#dashboard/api/in-batches.ts';
import type { ImportedUser } from '../contract/user-import.ts';
import { type ImportFile, readImportFile } from '../import/import-file.ts';
import {
  type CheckedOutcome,
  checkedOutcome,
  type ImportPlan,
  lacksReason,
  planImport,
} from '../import/import-plan.ts';
import type { RejectedRow } from '../import/rejected-rows.ts';

/** The most users of one import in the dashboard; the command line accepts more. */
export const maxImportedUsers = 10_000;

/** A file that the service has checked. */
export interface CheckedFile {
  readonly name: string;
  readonly file: ImportFile;
  readonly plan: ImportPlan;
  readonly rejected: readonly RejectedRow[];
  /** Whether the deployment or an application of the file requires a reason. */
  readonly needsReason: boolean;
}

/**
 * Reads a file and asks the service what it would change, as if everything were confirmed; again about users for whom it was
 * unavailable, as in the import itself. `onChecked` gets the number of users of each answered request.
 */
export async function checkFile(
  given: File,
  newWriter: () => Writer,
  onChecked: (count: number) => void,
): Promise<CheckedFile> {
  const file = readImportFile(new Uint8Array(await given.arrayBuffer()));
  if (file.users.size > maxImportedUsers) throw new TooManyUsers(file.users.size);
  const dryRun = (reason: string | null) =>
    inBatches<CheckedOutcome, ImportedUser>(
      [...file.users.values()],
      (users) => check(users, { write: newWriter(), create: file.creates, reason }),
      { onResults: ({ length }) => onChecked(length) },
    );
  const first = await dryRun(null);
  const needsReason = first.some(({ problems }) => problems.some(lacksReason));
  // The reason is asked for after the check.
  const plan = planImport(file.users, needsReason ? await dryRun('preview') : first);
  return { name: given.name, file, plan, rejected: file.rejectedRows(plan.problems), needsReason };
}

interface Checking {
  readonly write: Writer;
  readonly create: boolean;
  readonly reason: string | null;
}

function check(users: readonly ImportedUser[], { write, create, reason }: Checking) {
  const all = { create, dryRun: true, reactivate: true, unblock: true, reason };
  const userIds = users.map(({ userId }) => userId);
  return askUntilKnown<CheckedOutcome>(userIds, {
    send: async (some) => {
      const waiting = users.filter(({ userId }) => some.includes(userId));
      const { items } = await write('import-users', { body: { ...all, users: waiting } });
      return items.map(checkedOutcome);
    },
    keyOf: ({ userId }) => userId,
    failed: (userId, problem) => ({
      userId: userId as CheckedOutcome['userId'],
      outcome: 'failed',
      changes: [],
      problems: [problem],
      problem,
    }),
  });
}

/** A file with more users than the dashboard imports. */
export class TooManyUsers extends Error {
  constructor(count: number) {
    super(
      `The file has ${count.toLocaleString('en')} users; at most ${maxImportedUsers.toLocaleString('en')} can be imported here. Divide it, or use the command line: auth-service users import`,
    );
  }
}
