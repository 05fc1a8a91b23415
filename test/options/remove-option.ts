import { exec } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/source-files.ts';

const execute = promisify(exec);
/** The options that are complete: a folder of `options/` with a README. The others still have code elsewhere. */
export const optionNames = globSync('*/README.md', { cwd: join(root, 'options') })
  .map(dirname)
  .sort();

/** A copy of the project without one option. */
export interface ReducedProject extends AsyncDisposable {
  /** The lines that were removed outside of the option's folder, each after its file. */
  readonly lines: readonly string[];
  /** Runs a command in the copy; throws with what it printed unless it ends with 0. */
  run(command: string): Promise<void>;
}

/** What is installed or built, and not copied. */
const made = new Set(['.git', 'node_modules', 'cdk.out', '.local', '.cache', 'coverage', 'dist', 'artefacts']);

/** Copies the project without the folder of an option, without the options that use it, and without the lines that name them. */
export async function removeOption(name: string): Promise<ReducedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-without-'));
  const users = usersOf(name);
  const removed = [name, ...users].map((option) => join(root, 'options', option));
  const isKept = (path: string) => !removed.includes(path) && !made.has(basename(path));
  await cp(root, folder, { recursive: true, filter: isKept });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const user of users) await removeLines(folder, user);
  return {
    lines: await removeLines(folder, name),
    run: async (command) => {
      await execute(command, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
        throw new Error(`${command} fails without the option ${name}:\n${error.stdout}\n${error.stderr}`);
      });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The options that cannot be without this one. */
function usersOf(name: string): string[] {
  const files = globSync('*/**/*.{ts,tsx}', { cwd: join(root, 'options') });
  const using = files.filter((file) => readFileSync(join(root, 'options', file), 'utf8').includes(`#options/${name}/`));
  return [...new Set(using.map((file) => file.split(sep)[0] ?? ''))].filter((user) => user !== name);
}

/**
 * A line names an option by the path of a file in its folder: `#options/<name>/`, or `./<name>/` in a register. What has
 * happened and what was decided stays.
 */
async function removeLines(folder: string, name: string): Promise<string[]> {
  const paths = globSync('**/*', { cwd: folder, exclude: (path) => made.has(basename(path)) });
  const texts = paths.filter(
    (path) => /\.(?:md|tsx?|json)$/.test(path) && !/^(?:CHANGELOG\.md|docs\/decisions\/)/.test(path),
  );
  const removed = await Promise.all(
    texts.map(async (path) => {
      const named = new RegExp(dirname(path) === 'options' ? `'\\./${name}/` : `options/${name}/`);
      const all = (await readFile(join(folder, path), 'utf8')).split('\n');
      const lines = all.filter((line) => named.test(line));
      if (lines.length > 0) await writeFile(join(folder, path), all.filter((line) => !named.test(line)).join('\n'));
      return lines.map((line) => `${path}: ${line}`);
    }),
  );
  return removed.flat();
}
