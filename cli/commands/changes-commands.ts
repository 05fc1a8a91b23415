import { Argument, type Command } from 'commander';
import * as v from 'valibot';
import { type Change, changeEventSource } from '#shared/contract/change.ts';
import { changeSchema } from '#shared/contract/change-schemas.ts';
import { applyChanges } from '../history/apply-changes.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { examples } from '../terminal/arguments.ts';
import { notSent } from '../terminal/cli-error.ts';
import { readText } from '../terminal/read-input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Adds `changes`: reapplying archived changes after a restore. */
export function addChanges(program: Command, { withContext }: ContextProvider): void {
  const changes = program.command('changes').description('reapply archived changes after a restore');

  changes
    .command('apply')
    .description('apply changes that a restored table lacks, except new keys and deleted roles and applications')
    .addArgument(new Argument('<file>', 'changes or events with changes, as JSON or JSON Lines; - is standard input'))
    .option('--dry-run', 'show what would be applied, without changing anything')
    .addHelpText('after', examples('changes apply events.json --dry-run', 'changes apply events.json'))
    .action(
      withContext(async (context: CommandContext<{ dryRun?: boolean }>, file: string) =>
        applyChanges(context, await readChangesFile(file, context.terminal)),
      ),
    );
}

/** The Changes in a file, or from standard input for `-`, without duplicates, in the order of their ids. */
async function readChangesFile(file: string, terminal: Terminal): Promise<Change[]> {
  return readChanges(await readText(file, terminal), file);
}

/**
 * A JSON array or JSON Lines of Changes, or of events that contain them, even as JSON text within JSON, as in logs. One invalid
 * entry rejects the whole file, so that a wrong file is never applied in part.
 */
export function readChanges(content: string, source: string): Change[] {
  const changes = parseEntries(content, source).map((entry, index) => {
    const { success, output } = v.safeParse(changeSchema, changeIn(entry));
    if (success) return output;
    throw notSent(`Entry ${index + 1} of ${source} is neither a change nor an event with one. Nothing was sent.`);
  });
  const byId = new Map(changes.map((change) => [change.id, change]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function parseEntries(content: string, source: string): unknown[] {
  try {
    if (content.trimStart().startsWith('[')) return JSON.parse(content);
    return content
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  } catch {
    throw notSent(`${source} is neither a JSON array nor JSON Lines. Nothing was sent.`);
  }
}

function changeIn(entry: unknown): unknown {
  const value = typeof entry === 'string' ? parseJson(entry) : entry;
  const { source, detail } = Object(value) as { readonly source?: unknown; readonly detail?: unknown };
  return source === changeEventSource ? detail : value;
}

/** The parsed text; undefined if it is not JSON, such as a message that a log has truncated. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
