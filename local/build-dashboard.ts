import { spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const projectFolder = join(import.meta.dirname, '..');
const vite = 'node_modules/vite/bin/vite.js';

/** Where the dashboard is, how to break its build off, and whom to tell that it failed. */
export interface BuildDashboardOptions {
  /** Default: this one. */
  readonly project?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly warn: (line: string) => void;
}

/**
 * Answers the folder of the built dashboard, built anew if its sources are younger. Without sources there is none; what
 * cannot be built is a warning, as the service does well without it.
 */
export async function buildDashboard(options: BuildDashboardOptions): Promise<string | undefined> {
  const { project = projectFolder, signal, warn } = options;
  const page = join(project, 'dashboard/dist/index.html');
  const sources = globSync(sourcePatterns, { cwd: project, exclude: ['dashboard/dist/**'] });
  if (!sources.includes(join('dashboard', 'index.html'))) return undefined;
  const isFresh = existsSync(page) && sources.every((name) => changedAt(join(project, name)) <= changedAt(page));
  const failure = isFresh ? undefined : await runVite(project, signal);
  if (failure !== undefined && !signal?.aborted) warn(`The dashboard is left out, as it does not build: ${failure}`);
  return failure === undefined ? join(project, 'dashboard/dist') : undefined;
}

const sourcePatterns = ['dashboard/**/*.*', 'shared/contract/*.ts', 'package-lock.json'];

function changedAt(file: string): number {
  return statSync(file).mtimeMs;
}

/** In a process of its own, since bundling would hold up everything else in this one; answers why it failed. */
async function runVite(project: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const child = spawn(process.execPath, [vite, 'build', 'dashboard', '--logLevel', 'error'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  if (code === 0) return undefined;
  // Vite's first line only says that there was an error.
  const lines = stripVTControlCharacters(stderr).split('\n');
  return lines.find((line) => /\S/.test(line) && !/^error during build/.test(line))?.trim() ?? `exit code ${code}`;
}
