import { writeFileSync } from 'node:fs';
import type { UserStatus } from '#shared/contract/access.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { userTable } from '#shared/csv/user-table.ts';
import type { CommandContext } from '../service/command-context.ts';
import { pageQuery } from '../service/show-pages.ts';
import { notWritten, withNote } from '../terminal/cli-error.ts';
import { progressOf } from '../terminal/terminal.ts';

export interface ExportOptions {
  readonly out?: string;
  readonly cursor?: string;
  readonly status?: UserStatus;
}

/** Writes all users as CSV, page by page, to a file or to standard output; `--cursor` continues a failed export. */
export async function exportUsers(context: CommandContext<ExportOptions>): Promise<void> {
  const { client, options, terminal } = context;
  const { status, out } = options;
  const write = writerOf(context);
  let cursor = options.cursor;
  let head = cursor === undefined ? userTable.head : '';
  let count = 0;
  const progress = progressOf(terminal);
  for (;;) {
    // Progress on the terminal that gets the export would be among its lines.
    if (out !== undefined || !terminal.stdout.isTTY) progress.show(countOf(count, 'user'));
    const query = { ...pageQuery(maxPageSize, cursor), status };
    const page = await client.call('list-users', { query }).catch((error) => {
      progress.end();
      throw withHint(error, context, cursor);
    });
    write(head + userTable.lines(page.items));
    head = '';
    count += page.items.length;
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  progress.end();
  terminal.note(`Exported ${countOf(count, 'user')}${out === undefined ? '' : ` to ${out}`}.`);
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
  // Fails before anything is sent if the file is not writable, and does not empty an existing one.
  write('', 'a');
  let flag: 'a' | 'w' = cursor === undefined ? 'w' : 'a';
  return (text) => {
    write(text, flag);
    flag = 'a';
  };
}

function withHint(
  error: unknown,
  { again, options }: CommandContext<ExportOptions>,
  cursor: string | undefined,
): unknown {
  if (cursor === undefined || cursor === options.cursor) return error;
  return withNote(error, `Continue with: ${again({ '--cursor': cursor })}`);
}
