import { type Command, Option } from 'commander';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { pageQuery } from '#cli/service/show-pages.ts';
import { examples } from '#cli/terminal/arguments.ts';
import { CliError, withNote } from '#cli/terminal/cli-error.ts';
import { parsePast, pastFormats } from '#cli/terminal/parse-time.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { Finding } from '../contract/table-repair.ts';

/** A progress line is printed after this many pages. */
const notePages = 10;
/** The findings that are listed one by one; `--json` has all. */
const maxListed = 50;

interface RepairOptions {
  readonly dryRun?: boolean;
  readonly cursor?: string;
  readonly restartFeeds?: string;
}

/** Adds `repair`: makes the table whole after a restore, or the takeover of a Region. */
export function addRepair(program: Command, { withContext }: ContextProvider): void {
  program
    .command('repair')
    .description('make the table whole after a restore or the takeover of a Region; safe to run twice')
    .option('--dry-run', 'name what is wrong, without changing anything')
    .addOption(
      new Option(
        '--restart-feeds <time>',
        `since when this table has been in use: ${pastFormats}. Cursors from before get 410 and read the snapshot again`,
      ).argParser((text) => parsePast(text)),
    )
    .option('--cursor <cursor>', 'continue where an earlier run failed')
    .addHelpText('after', guide)
    .addHelpText('after', examples('repair --dry-run', 'repair --restart-feeds 15m', 'repair --json > repair.json'))
    .action(withContext((context: CommandContext<RepairOptions>) => repairAll(context)));
}

const guide = `
Finds and repairs members, lists and search words that differ from grants, accesses
and users; states that are older than their newest change; changes that were lost;
grants of roles and accesses of applications that are gone; unfinished deletions;
changes that are missing in the feeds; and counters of the overview that differ from
the users and blocks. It finds users, applications and connections by the table itself,
whatever lists say, and brings a table of an older format to the one of this version.

Exit codes: 0 nothing is wrong any more (with --dry-run: nothing that could not be
repaired), 1 something is not repaired: history-gap, change-forged, feed-altered,
account-differs, orphan and key cannot be; for counters-busy, repair again when fewer
changes are made.`;

async function repairAll(context: CommandContext<RepairOptions>): Promise<void> {
  const { options, terminal, client, announce, again, show } = context;
  const { dryRun = false, restartFeeds } = options;
  announce();
  const found = new Map<string, Finding>();
  let checked = 0;
  let cursor = options.cursor;
  for (let page = 1; ; page++) {
    const query = { ...pageQuery(maxPageSize, cursor), dryRun, restartFeeds };
    const answer = await client.call('repair', { query }).catch((error) => {
      if (cursor === undefined || cursor === options.cursor) throw error;
      const changes = { '--cursor': cursor, ...(restartFeeds && { '--restart-feeds': restartFeeds }) };
      throw withNote(error, `Continue with: ${again(changes)}`);
    });
    checked += answer.checked;
    // A deletion that takes several requests is found by each.
    for (const finding of answer.findings) found.set(JSON.stringify(finding), finding);
    if (answer.cursor === null) break;
    cursor = answer.cursor;
    if (page % notePages === 0) terminal.note(`${summaryOf(checked, [...found.values()])} Continuing …`);
  }
  const findings = [...found.values()];
  show(
    { checked, findings },
    ...findings.slice(0, maxListed).map(lineOf),
    ...countsOf(findings),
    summaryOf(checked, findings),
  );
  const left = findings.filter((finding) => !finding.repaired && !isBusy(finding)).length;
  const busy = findings.filter(isBusy).length;
  const problems = [
    left > 0 && `${countOf(left, 'finding')} cannot be repaired; docs/operate/restore.md says what they mean.`,
    busy > 0 && 'Counters could not be compared while changes were made. Repair again when fewer changes are made.',
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
}

/** Counters that another run can repair. */
function isBusy({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'counters-busy';
}

function summaryOf(checked: number, findings: readonly Finding[]): string {
  return `Checked ${countOf(checked, 'item')}, found ${countOf(findings.length, 'difference')}.`;
}

function lineOf({ kind, repaired, userId, appId, connectionId, role, changeId }: Finding): string {
  const ids = Object.entries({ user: userId, app: appId, connection: connectionId, role, change: changeId });
  const named = ids.flatMap(([name, id]) => (id === undefined ? [] : [`${name} ${id}`]));
  const state = repaired || isBusy({ kind }) ? kind : `${kind} (cannot be repaired)`;
  return [state, ...named].join('  ');
}

/** How many of each kind, if there are more than are listed. */
function countsOf(findings: readonly Finding[]): string[] {
  if (findings.length <= maxListed) return [];
  const kinds = [...new Set(findings.map(({ kind }) => kind))].sort();
  return ['…', ...kinds.map((kind) => `${kind}: ${findings.filter((one) => one.kind === kind).length}`)];
}
