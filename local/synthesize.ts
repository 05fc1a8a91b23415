import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as endpoints from '#options/endpoints.ts';
import * as localParts from '#options/local.ts';
import { listSettings } from '../lib/options/list-settings.ts';
import { LocalError } from './local-error.ts';
import type { LocalPart } from './local-part.ts';

const projectFolder = join(import.meta.dirname, '..');
const app = 'bin/auth-service.ts';

/** The target of the synthesis, and how to stop it. */
export interface SynthesizeOptions {
  /** The folder for the assembly; it is emptied first, because old bundles would accumulate. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: the CDK app of this project. */
  readonly command?: readonly string[] | undefined;
}

/**
 * Runs the CDK app without the CDK CLI and returns the folder of the assembly. The CLI also passes the folder as
 * `CDK_OUTDIR` (aws-cdk-lib, `App` property `outdir`). On failure, throws a LocalError with the output of the app.
 */
export async function synthesize({
  folder,
  signal,
  command = ['--import', './bin/compile-cache.mjs', app],
}: SynthesizeOptions): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const child = spawn(process.execPath, command, {
    cwd: projectFolder,
    // The CDK's own template rules take over a second and are checked by `npm run synth`; cdk-nag stays enabled. The
    // dashboard is left out: it may still be building, and its deployment adds 22 MB of tools that the local run does
    // not need.
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: localContext(),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0)
    throw new LocalError(`The synthesis failed; run node ${app} for the full output:\n${summarize(stderr)}`);
  return folder;
}

/**
 * The CDK context of the environment, with all that lists of options can name and what parts of the local run ask for, unless it
 * names less, and with the dashboard left out.
 */
function localContext(): string {
  const parts: readonly LocalPart[] = Object.values(localParts);
  const context = JSON.parse(process.env.CDK_CONTEXT_JSON || '{}');
  return JSON.stringify({
    endpoints: Object.keys(endpoints).join(','),
    ...Object.fromEntries(Object.entries(listSettings).map(([name, all]) => [name, all.join(',')])),
    ...Object.assign({}, ...parts.map(({ settings }) => settings)),
    ...context,
    dashboard: 'none',
  });
}

/** At most 20 lines, without stack frames and the line of code that Node prints above an uncaught error. */
function summarize(stderr: string): string {
  const withoutCode = stderr.replace(/^(?:file|node):\S+\n.*\n\s*\^+\n/gm, '');
  const lines = withoutCode.split('\n').filter((line) => !/^\s*$|^\s+(at |\.\.\.)|^Node\.js v/.test(line));
  return lines.slice(0, 20).join('\n');
}
