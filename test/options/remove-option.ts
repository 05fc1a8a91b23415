import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The options: the folders of `options/`. */
export const optionNames = (await readdir(join(root, 'options'), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** A copy of the project without one option. */
export interface ReducedProject extends AsyncDisposable {
  /** The lines that were removed outside of the option's folder, each after its file. */
  readonly lines: readonly string[];
  /** Runs a command in the copy; throws with what it printed unless it ends with 0. */
  run(command: string): Promise<void>;
}

/** Copies the project without the folder of an option, and without the lines of other files that name it. */
export async function removeOption(name: string): Promise<ReducedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-without-'));
  const lines: string[] = [];
  for (const path of await projectFiles()) {
    if (path.startsWith(`options/${name}/`)) continue;
    await cp(join(root, path), join(folder, path), { recursive: true });
    lines.push(...(await removeLines(folder, path, name)));
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    lines,
    run: async (command) => {
      await execute('bash', ['-c', command], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
        throw new Error(`${command} fails without the option ${name}:\n${error.stdout}\n${error.stderr}`);
      });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Tracked files, and those that will be. */
async function projectFiles(): Promise<string[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = await execute('git', list, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter((path) => path !== '' && dirname(path) !== 'node_modules');
}

/** A line names an option by the path of a file in its folder: `#options/<name>/`, or `./<name>/` in a register. */
async function removeLines(folder: string, path: string, name: string): Promise<string[]> {
  if (!/\.(?:md|ts|tsx|json)$/.test(path) || path === 'CHANGELOG.md' || path.startsWith('docs/decisions/')) return [];
  const named = new RegExp(dirname(path) === 'options' ? `'\\./${name}/` : `options/${name}/`);
  const all = (await readFile(join(folder, path), 'utf8')).split('\n');
  const removed = all.filter((line) => named.test(line));
  if (removed.length > 0) await writeFile(join(folder, path), all.filter((line) => !named.test(line)).join('\n'));
  return removed.map((line) => `${path}: ${line}`);
}
