import { writeFileSync } from 'node:fs';
import type { UserStatus } from '#shared/contract/access.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import type { UserView } from '#shared/contract/user.ts';
import { createCsv } from '#shared/csv/write-csv.ts';
import type { CommandContext } from '../service/command-context.ts';
import { pageQuery } from '../service/show-pages.ts';
import { notWritten, withNote } from '../terminal/cli-error.ts';

export interface ExportOptions {
  readonly out?: string;
  readonly cursor?: string;
  readonly status?: UserStatus;
}

/** What `users import` reads, and when the user was created. */
const csv = createCsv<UserView>([
  { title: 'userId', cell: ({ userId }) => userId },
  { title: 'displayName', cell: ({ displayName }) => displayName ?? '' },
  { title: 'email', cell: ({ email }) => email ?? '' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'createdAt', cell: ({ createdAt }) => createdAt },
]);

/** So often the user is told how far it is, in pages. */
const notePages = 10;

/** Writes all users as CSV, page by page, to a file or to standard output; one that has failed continues by `--cursor`. */
export async function exportUsers(context: CommandContext<ExportOptions>): Promise<void> {
  const { client, options, terminal } = context;
  const { status, out } = options;
  const write = writerOf(context);
  let cursor = options.cursor;
  let head = cursor === undefined ? csv.head : '';
  let count = 0;
  for (let number = 1; ; number++) {
    const query = { ...pageQuery(maxPageSize, cursor), status };
    const page = await client
      .call('list-users', { query })
      .catch((error) => Promise.reject(withHint(error, options, cursor)));
    write(head + csv.lines(page.items));
    head = '';
    count += page.items.length;
    if (page.cursor === null) break;
    cursor = page.cursor;
    if (number % notePages === 0) terminal.note(`${count} users …`);
  }
  terminal.note(`${count} users${out === undefined ? '' : ` are in ${out}`}.`);
}

function writerOf({ options: { out, cursor }, terminal }: CommandContext<ExportOptions>): (text: string) => void {
  if (out === undefined) return (text) => void terminal.stdout.write(text);
  const write = (text: string, flag: 'a' | 'w') => {
    try {
      writeFileSync(out, text, { flag });
    } catch (cause) {
      throw notWritten(out, cause);
    }
  };
  // Before anything is sent, without emptying a file that is there.
  write('', 'a');
  let flag: 'a' | 'w' = cursor === undefined ? 'w' : 'a';
  return (text) => {
    write(text, flag);
    flag = 'a';
  };
}

function withHint(error: unknown, { out, status }: ExportOptions, cursor: string | undefined): unknown {
  if (cursor === undefined) return error;
  const more = [out && `--out ${out}`, status && `--status ${status}`, `--cursor ${cursor}`].filter(Boolean).join(' ');
  return withNote(error, `Continue with: users export ${more}`);
}
