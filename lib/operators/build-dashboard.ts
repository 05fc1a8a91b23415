import { spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const projectFolder = join(import.meta.dirname, '../..');
const vite = 'node_modules/vite/bin/vite.js';

/** The project to build in, and how to stop and report. */
export interface BuildDashboardOptions {
  /** Default: this project. */
  readonly project?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the reason if the build fails. */
  readonly warn: (reason: string) => void;
}

/** The folder of the built dashboard, which is rebuilt if its sources are newer. Undefined without sources, or if that fails. */
export async function buildDashboard(options: BuildDashboardOptions): Promise<string | undefined> {
  const { project = projectFolder, signal, warn } = options;
  const page = join(project, 'dashboard/dist/index.html');
  const sources = globSync(sourcePatterns, { cwd: project, exclude: ['dashboard/dist/**'] });
  if (!sources.includes(join('dashboard', 'index.html'))) return undefined;
  const isFresh = existsSync(page) && sources.every((name) => changedAt(join(project, name)) <= changedAt(page));
  const failure = isFresh ? undefined : await runVite(project, signal);
  if (failure !== undefined && !signal?.aborted) warn(failure);
  return failure === undefined ? join(project, 'dashboard/dist') : undefined;
}

const sourcePatterns = [
  'dashboard/**/*.*',
  'options/*.ts',
  'options/*/*.ts',
  'options/*/{contract,dashboard}/**/*.*',
  'shared/contract/*.ts',
  'package-lock.json',
];

function changedAt(file: string): number {
  return statSync(file).mtimeMs;
}

/**
 * Runs Vite in a separate process, so that it does not block this one; returns the error message if the build fails.
 */
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
