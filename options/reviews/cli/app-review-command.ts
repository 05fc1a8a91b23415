import { type Command, Option } from 'commander';
import { callerName } from '#cli/history/change-columns.ts';
import { openExport } from '#cli/history/export-changes.ts';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { pageQuery } from '#cli/service/show-pages.ts';
import { addReasonOptions, appArgument, examples, type ReasonOptions, reasonBody } from '#cli/terminal/arguments.ts';
import { formatExpiry, formatTime } from '#cli/terminal/format-time.ts';
import { parsePast, pastFormats } from '#cli/terminal/parse-time.ts';
import { type Column, createTable } from '#cli/terminal/print-table.ts';
import { progressOf } from '#cli/terminal/terminal.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { accessLabels, countOf, describeOthers } from '#shared/contract/wording.ts';
import type { AccessReview, ReviewedUser } from '../contract/access-review.ts';
import { createReviewFile, type Holding, holdingsOf } from '../review-table.ts';

interface ReviewOptions extends ReasonOptions {
  readonly csv?: string;
  readonly mark?: boolean;
  readonly asOf?: string;
}

/** Adds `apps review`: who holds what in an application, and marking it as reviewed. */
export function addAppReview(apps: Command, { withContext }: ContextProvider): void {
  addReasonOptions(apps.command('review').addArgument(appArgument()))
    .description('show who holds what in an application, and mark it as reviewed')
    .option('--csv <file>', 'write the list to a file for a spreadsheet, with a row for each user and thing held')
    .option('--mark', 'mark the access as reviewed, after the list has been shown or written')
    .addOption(
      new Option('--as-of <when>', `with --mark: when the list was read: ${pastFormats}`)
        .argParser((text) => parsePast(text))
        .conflicts('csv'),
    )
    .addHelpText('after', reviewGuide)
    .addHelpText(
      'after',
      examples(
        'apps review billing',
        'apps review billing --csv billing.csv',
        'apps review billing --mark --as-of 2h --reason "quarterly review" --ticket AUD-7',
      ),
    )
    .action(
      withContext(async (context: CommandContext<ReviewOptions>, appId: string) => {
        const { mark = false, asOf, reason, ticket } = context.options;
        if (!mark && (asOf ?? reason ?? ticket) !== undefined) {
          throw context.usageError('--as-of, --reason and --ticket require --mark.');
        }
        const read = asOf ?? (await showReview(context, appId));
        if (mark) await markReviewed(context, appId, read);
      }),
    );
}

const reviewGuide = `
The list has all users with a status of their own or a role. Marking records
when the list was read, and how many accesses and roles changed after that.`;

/** Prints or writes the whole list; returns when it was read. */
async function showReview(context: CommandContext<ReviewOptions>, appId: string): Promise<string> {
  const { client, options, terminal } = context;
  const app = await client.call('get-application', { path: { appId } });
  const { users, asOf, lastReview } = await readReview(context, appId);
  if (options.csv !== undefined) writeCsv(options.csv, app, { users, asOf });
  // With --mark, the answer about the review is the one result.
  if (options.json && !options.mark) context.show({ asOf, lastReview, items: users });
  else if (options.csv === undefined && !options.json)
    terminal.print(...createTable(columns, terminal)(users.flatMap(holdingsOf)));
  if (options.json) return asOf;
  terminal.note(`${countOf(users.length, 'user')}; all others: ${describeOthers(app.rolloutPercent)}.`);
  if (options.csv !== undefined) terminal.note(`Written to ${options.csv}.`);
  const before =
    lastReview && `${formatTime(lastReview.at)} by ${lastReview.caller ? callerName(lastReview.caller) : 'unknown'}`;
  terminal.note(`Last review: ${before ?? 'none'}.`);
  if (!options.mark) {
    terminal.note(`After the review: ${context.commandLine('apps', 'review', appId, '--mark', '--as-of', asOf)}`);
  }
  return asOf;
}

async function readReview({ client, terminal }: CommandContext, appId: string) {
  const users: ReviewedUser[] = [];
  let first: AccessReview | undefined;
  let cursor: string | undefined;
  const progress = progressOf(terminal);
  try {
    for (;;) {
      progress.show(countOf(users.length, 'user'));
      const page: AccessReview = await client.call('list-access-review', {
        path: { appId },
        query: pageQuery(maxPageSize, cursor),
      });
      first ??= page;
      users.push(...page.items);
      if (page.cursor === null) return { users, asOf: first.asOf, lastReview: first.lastReview };
      cursor = page.cursor;
    }
  } finally {
    progress.end();
  }
}

interface ReadUsers {
  readonly users: readonly ReviewedUser[];
  readonly asOf: string;
}

function writeCsv(file: string, app: ApplicationView, { users, asOf }: ReadUsers): void {
  const { begin, add, end } = createReviewFile(app, asOf);
  const opened = openExport(file);
  try {
    opened.write(begin + add(users) + end);
    opened.finish();
  } finally {
    opened.discard();
  }
}

const columns: readonly Column<Holding>[] = [
  { title: 'USER', cell: ({ user }) => user.userId },
  { title: 'NAME', isText: true, cell: ({ user }) => user.displayName ?? '-' },
  {
    title: 'STATUS',
    cell: ({ user }) => accessLabels[user.effectiveStatus],
    tone: ({ user }) => (user.effectiveStatus === 'disabled' ? 'red' : undefined),
  },
  {
    title: 'HOLDS',
    cell: ({ kind, what, user }) => (kind === 'role' ? `role ${what}` : `setting ${accessLabels[user.status]}`),
  },
  { title: 'SINCE', cell: ({ since }) => formatTime(since) },
  { title: 'BY', isText: true, cell: ({ setBy }) => (setBy?.caller ? callerName(setBy.caller) : 'unknown') },
  { title: 'UNTIL', isText: true, cell: ({ end }) => formatExpiry(end) },
  { title: 'LAST CHANGE', isText: true, cell: ({ user }) => formatTime(user.lastChange?.at ?? null) },
  { title: 'REASON', isText: true, cell: ({ setBy }) => setBy?.reason ?? '-' },
];

async function markReviewed(context: CommandContext<ReviewOptions>, appId: string, asOf: string): Promise<void> {
  const body = { asOf, ...reasonBody(context.options) };
  const marked = await context.client.call('review-application', { path: { appId }, body });
  const { laterChanges, reviewDueAt } = marked;
  const later = `${countOf(laterChanges, 'change')} of access and roles came after the list was read`;
  context.show(
    marked,
    `Marked the access of ${appId} as reviewed, as of ${formatTime(asOf)}.`,
    ...(laterChanges === 0 ? [] : [`${later}: they belong to the next review.`]),
    ...(reviewDueAt === null ? [] : [`The next review is due ${formatExpiry(reviewDueAt)}.`]),
  );
}
