import { Argument, type Command, Option } from 'commander';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { examples, parserOf } from '#cli/terminal/arguments.ts';
import { commandGroup } from '#cli/terminal/command-group.ts';
import { appIdSchema, userIdSchema } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { readExportedChanges } from './read-exported-changes.ts';
import { verifyHistory } from './verify-history.ts';

/** Adds to `history` the commands that verify and redact an export. */
export function addEvidence(program: Command, { withContext }: ContextProvider): void {
  const history = commandGroup(program, 'history');
  history
    .command('verify')
    .addArgument(exportArgument())
    .description('verify an export: no change was altered, and there are no gaps')
    .addOption(appOption())
    .addOption(stateOption())
    .addOption(witnessOption())
    .addOption(headsOption())
    .addOption(headsKeyOption())
    .addHelpText('after', notes)
    .addHelpText(
      'after',
      examples(
        'history verify all.json',
        'history verify changes-2026-11-24.zip',
        'history verify billing.jsonl --app billing',
        'history verify table.jsonl --state table.jsonl',
        'history verify all.json --witness archive.jsonl',
        'history verify all.json --heads heads/*.jsonl --heads-key heads-key.txt',
      ),
    )
    .action(withContext(verifyHistory));

  history
    .command('redact')
    .addArgument(exportArgument())
    .description('print an export without personal data, as JSON Lines that can still be verified')
    .addOption(new Option('--user <user>', 'redact only the changes of this user').argParser(parserOf(userIdSchema)))
    .addHelpText('after', examples('history redact events.json --user ada > redacted.jsonl'))
    .action(withContext(redactHistory));
}

const notes = `
An archive (.zip) of the dashboard or of --export is verified as a whole: its changes, the
table beside them, and that it has all changes of its selection.
Any other export is JSON or JSON Lines: changes, pages, events of the event bus, or items of
the table. Do not filter it by action or operator: omitted changes would count as
missing. Two gaps cannot be detected without a witness or signed heads: missing changes
at the end of the export, and a user, role or application without any of its changes.
Exit code 1: the export is broken.`;

function exportArgument(): Argument {
  return new Argument('<file>', 'the export, or - for standard input');
}

function stateOption(): Option {
  const description = 'an export of the table in DynamoDB JSON; compare what is stored with the changes';
  return new Option('--state <file>', description).conflicts('app');
}

function witnessOption(): Option {
  const description =
    'changes that were kept elsewhere, such as the archive of the event bus; the export must contain them';
  return new Option('--witness <file>', description);
}

function headsOption(): Option {
  const description = 'files of signed heads, all of each run; the export must contain the changes that they name';
  return new Option('--heads <files...>', description);
}

function headsKeyOption(): Option {
  const description = 'the public key that verifies them: PEM, JWK, or base64 as AWS KMS answers it';
  return new Option('--heads-key <file>', description);
}

function appOption(): Option {
  const description = 'the export is the history of this application; verify only its chains';
  return new Option('--app <app>', description).argParser(parserOf(appIdSchema));
}

/**
 * Prints an export without personal data, or without that of one user. Omits Changes without a MAC, which cannot be
 * redacted.
 */
async function redactHistory(
  { options, terminal }: CommandContext<{ readonly user?: string }>,
  file: string,
): Promise<void> {
  const changes = await readExportedChanges(file, terminal);
  const redacted = changes.map((change) =>
    options.user === undefined || change.userId === options.user ? redactChange(change) : change,
  );
  const kept = redacted.filter((change) => change !== undefined);
  terminal.print(...kept.map((change) => JSON.stringify(change)));
  const leftOut = changes.length - kept.length;
  if (leftOut > 0) terminal.note(`Omitted ${countOf(leftOut, 'change')} without a MAC, which cannot be redacted.`);
}
