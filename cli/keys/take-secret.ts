import { WholeFile } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, notWritten } from '../terminal/cli-error.ts';
import { recordLines } from '../terminal/print-table.ts';

/** The options of commands that return a secret. */
export interface SecretOptions {
  readonly quiet?: boolean;
  readonly out?: string;
}

/** A secret as the service returned it, the only time. */
export interface TakenSecret {
  /** The member of the answer that is shown only once. */
  readonly member: 'secret' | 'token';
  readonly secret: string;
  /** The other members. */
  readonly answer: object;
  /** They as labelled lines, with the secret among them. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** What has the secret, such as `the webhook backend of billing`. */
  readonly owner: string;
  /** What the request did, such as `The key svk_… was issued`. */
  readonly done: string;
  /** What to do if the secret is lost, as words and a command. */
  readonly otherwise: readonly [words: string, command: readonly string[]];
}

/**
 * Requests a secret and shows it, or writes it to the file of `--out`. That file is opened first, so that no secret is issued
 * that cannot be stored.
 */
export async function takeSecret<Taken extends TakenSecret>(
  context: CommandContext<SecretOptions>,
  request: () => Promise<Taken>,
): Promise<Taken> {
  const { out } = context.options;
  if (out === undefined) {
    const taken = await request();
    showSecret(context, taken);
    return taken;
  }
  const file = openNew(out);
  try {
    const taken = await request();
    saveSecret(context, file, taken);
    return taken;
  } finally {
    file.discard();
  }
}

function openNew(out: string): WholeFile {
  try {
    return new WholeFile(out, { isNew: true });
  } catch (cause) {
    throw notWritten(out, cause);
  }
}

/** Prints the answer on stdout, with `--quiet` only its secret, and the warning on stderr. */
function showSecret(
  { options, terminal, show }: CommandContext<SecretOptions>,
  { member, secret, answer, rows, owner }: TakenSecret,
): void {
  if (options.quiet) terminal.print(secret);
  else show({ ...answer, [member]: secret }, ...recordLines(rows));
  terminal.note(`Save the ${member} of ${owner} now: it is shown only once and cannot be read again.`);
}

/** Writes the answer as JSON, with `--quiet` only its secret, and shows the rest. */
function saveSecret(
  { options: { out, quiet }, show, commandLine }: CommandContext<SecretOptions>,
  file: WholeFile,
  { member, secret, answer, owner, done, otherwise: [words, command] }: TakenSecret,
): void {
  try {
    file.write(`${quiet ? secret : JSON.stringify({ ...answer, [member]: secret }, null, 2)}\n`);
    file.finish();
  } catch (cause) {
    throw new CliError(`${done}, but ${out} cannot be written: ${(cause as Error).message}`, {
      cause,
      notes: [`Its ${member} is lost. ${words} ${commandLine(...command)}`],
    });
  }
  show(answer, `Wrote ${owner} and its ${member} to ${out}, which only you can read.`);
}
