import { maxPageSize } from '#shared/contract/fields.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './command-context.ts';
import { pageQuery } from './show-pages.ts';

/** So often the user is told how far it is, in pages. */
const notePages = 10;

/** Makes all users findable, page by page. What failed in between is continued by `--cursor`; a repetition skips who is. */
export async function reindexUsers(context: CommandContext<{ readonly cursor?: string }>): Promise<void> {
  const { client, options, terminal, show } = context;
  const total = { checked: 0, changed: 0 };
  let cursor = options.cursor;
  for (let page = 1; ; page++) {
    const query = pageQuery(maxPageSize, cursor);
    const answer = await client
      .call('reindex-users', { query })
      .catch((error) => Promise.reject(withHint(error, cursor)));
    total.checked += answer.checked;
    total.changed += answer.changed;
    if (answer.cursor === null) return show(total, said(total));
    cursor = answer.cursor;
    if (page % notePages === 0) terminal.note(`${said(total)} Going on …`);
  }
}

function said({ checked, changed }: { readonly checked: number; readonly changed: number }): string {
  return `Checked ${checked} users: ${changed} can be found now who could not before.`;
}

function withHint(error: unknown, cursor: string | undefined): unknown {
  if (!(error instanceof CliError) || cursor === undefined) return error;
  const { exitCode, notes, cause, message } = error;
  return new CliError(message, {
    exitCode,
    cause,
    notes: [...notes, `Continue with: users reindex --cursor ${cursor}`],
  });
}
