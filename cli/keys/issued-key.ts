import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { WholeFile } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, notWritten } from '../terminal/cli-error.ts';
import { formatExpiry } from '../terminal/format-time.ts';
import { recordLines } from '../terminal/print-table.ts';

/** The options of commands that return a secret. */
export interface SecretOptions {
  readonly quiet?: boolean;
  readonly out?: string;
}

/** What a kind of key is called. */
export interface KeyWords {
  /** The member of the answer that is shown only once. */
  readonly member: 'secret' | 'token';
  /** The command that revokes a key, without the key. */
  readonly revoke: readonly string[];
}

type IssuedKey = IssuedKeyView<string>;

/**
 * Requests a key and shows it, or writes it to the file of `--out`. That file is opened first, so that no secret is issued that
 * cannot be stored.
 */
export async function takeKey(
  context: CommandContext<SecretOptions>,
  words: KeyWords,
  request: () => Promise<IssuedKey>,
): Promise<IssuedKey> {
  const { out } = context.options;
  if (out === undefined) {
    const key = await request();
    showSecret(context, words.member, key);
    return key;
  }
  const file = openNew(out);
  try {
    const key = await request();
    saveSecret(context, { words, file, key });
    return key;
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

/** Prints the key on stdout, with `--quiet` only its secret, and the warning on stderr. */
function showSecret(
  { options, terminal, show }: CommandContext<SecretOptions>,
  member: KeyWords['member'],
  { secret, ...key }: IssuedKey,
): void {
  const { keyId, label, scopes, expiresAt } = key;
  const rows = [
    ['key', keyId],
    ['label', label ?? '-'],
    [member, secret],
    ['scopes', scopes.join(' ')],
    ['expires', formatExpiry(expiresAt)],
  ] as const;
  if (options.quiet) terminal.print(secret);
  else show({ ...key, [member]: secret }, ...recordLines(rows));
  terminal.note(`Save the ${member} of ${keyId} now: it is shown only once and cannot be read again.`);
}

interface SavedKey {
  readonly words: KeyWords;
  readonly file: WholeFile;
  readonly key: IssuedKey;
}

/** Writes the key as JSON, with `--quiet` only its secret, and shows the key without it. */
function saveSecret(
  { options: { out, quiet }, show, commandLine }: CommandContext<SecretOptions>,
  { words: { member, revoke }, file, key: { secret, ...key } }: SavedKey,
): void {
  try {
    file.write(`${quiet ? secret : JSON.stringify({ ...key, [member]: secret }, null, 2)}\n`);
    file.finish();
  } catch (cause) {
    throw new CliError(`The key ${key.keyId} was issued, but ${out} cannot be written: ${(cause as Error).message}`, {
      cause,
      notes: [`Its ${member} is lost. Revoke it: ${commandLine(...revoke, key.keyId)}`],
    });
  }
  show(key, `Wrote the key ${key.keyId} and its ${member} to ${out}, which only you can read.`);
}
