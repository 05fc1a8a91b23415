import { type Command, Option } from 'commander';
import { rootVersionSchema } from '#shared/contract/fields.ts';
import { rotateAll } from '../keys/rotate-all.ts';
import type { ContextProvider } from '../service/command-context.ts';
import { durationOption, examples, parserOf, yesOption } from '../terminal/arguments.ts';

/** Adds `keys rotate-all`: new keys for all applications. */
export function addRotateAll(keys: Command, { withContext }: Pick<ContextProvider, 'withContext'>): void {
  keys
    .command('rotate-all')
    .description('rotate the keys of all applications after a root key has leaked; writes the new secrets to a folder')
    .addOption(rootOption().makeOptionMandatory())
    .addOption(
      durationOption('--overlap <duration>', 'how long the old keys stay valid (0s to 30d)').makeOptionMandatory(),
    )
    .addOption(new Option('--out <folder>', 'where the new keys are written').makeOptionMandatory())
    .addOption(new Option('--dry-run', 'list the keys without rotating them'))
    .addOption(yesOption())
    .addHelpText('after', guide)
    .addHelpText(
      'after',
      examples(
        'keys rotate-all --root k1 --overlap 0s --out new-keys --dry-run',
        'keys rotate-all --root k1 --overlap 0s --out new-keys',
      ),
    )
    .action(withContext(rotateAll));
}

const guide = `
Release a new root version first: the new keys are derived from the newest one.
Before the first rotation, the command checks for anything that would stop it
half-way. Each new key and its secret are written to the file
<folder>/<application>/<key>.json, which only you can read. Secrets are never
printed. <folder>/report.json says which key replaces which, without secrets.
Hand the files over, then delete the folder.

Ctrl-C stops after the current requests. The same command then resumes, within a
day, and retries failed rotations. If an answer was lost, the retry returns the
same new key.`;

function rootOption(): Option {
  const description = 'rotate the keys of this root version, such as k1';
  return new Option('--root <version>', description).argParser(parserOf(rootVersionSchema));
}
