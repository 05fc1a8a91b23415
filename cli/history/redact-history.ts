import { redactChange } from '#shared/integrity/redact-change.ts';
import type { CommandContext } from '../service/command-context.ts';
import { readExportedChanges } from './read-exported-changes.ts';

/** Prints an export without what is personal in its Changes, or in those of one user. Those without a MAC cannot be redacted and are left out. */
export async function redactHistory(
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
  if (leftOut > 0) terminal.note(`Left out, because they have no MAC and cannot be redacted: ${leftOut}`);
}
