import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError } from './local-error.ts';

const projectFolder = join(import.meta.dirname, '..');
const app = 'bin/auth-service.ts';

/** Where to synthesize to, and how to break it off. */
export interface SynthesizeOptions {
  /** Where the assembly goes; what stands there is removed first, as bundles of earlier code would pile up. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: the CDK app of this project. */
  readonly command?: readonly string[] | undefined;
}

/**
 * Runs the CDK app without the CDK's command line and answers the folder of the assembly. `CDK_OUTDIR` is how that
 * command line tells an app where to write (aws-cdk-lib, `App` property `outdir`). A failure is a LocalError with
 * what the app said.
 */
export async function synthesize({ folder, signal, command = [app] }: SynthesizeOptions): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const child = spawn(process.execPath, command, {
    cwd: projectFolder,
    // The CDK's own template rules take over a second and are checked by `npm run synth`; cdk-nag stays. The dashboard is
    // left out, as it may be in the making, and its deployment brings 22 MB of tools that nothing here would run.
    env: { ...process.env, CDK_OUTDIR: folder, CDK_VALIDATION: 'false', CDK_CONTEXT_JSON: withoutDashboard() },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new LocalError(`The stack does not synthesize; node ${app} shows all:\n${readable(stderr)}`);
  return folder;
}

/** What the environment gives the app as context, as the CDK's command line would. */
function withoutDashboard(): string {
  return JSON.stringify({ ...JSON.parse(process.env.CDK_CONTEXT_JSON || '{}'), dashboard: 'none' });
}

/** At most 20 lines, without stack frames and the line of code that Node shows above an error nobody caught. */
function readable(stderr: string): string {
  const withoutCode = stderr.replace(/^(?:file|node):\S+\n.*\n\s*\^+\n/gm, '');
  const lines = withoutCode.split('\n').filter((line) => !/^\s*$|^\s+(at |\.\.\.)|^Node\.js v/.test(line));
  return lines.slice(0, 20).join('\n');
}
