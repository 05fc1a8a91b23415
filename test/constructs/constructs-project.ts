import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildConstructs } from '../../lib/build/build-constructs.ts';
import { builtDashboard, type Template } from '../stack/synthesized-stack.ts';

const project = join(import.meta.dirname, '../..');

/** A folder outside of this project with a CDK app that uses the packed constructs. */
export interface ConstructsProject {
  readonly path: string;
  readonly tarball: string;
  /** The folder of the installed package. */
  readonly installed: string;
  write(name: string, text: string): void;
  /** Runs a CDK app, and returns its assembly's folder; throws with its output if it fails. */
  synthesize(file: string, text: string): string;
  /** Runs a program in the folder; throws with its output if it fails. */
  run(program: string, ...options: readonly string[]): string;
  remove(): void;
}

/** Builds and packs the constructs, and unpacks the tarball beside the two packages that it expects. */
export async function installConstructs(): Promise<ConstructsProject> {
  const root = mkdtempSync(join(tmpdir(), 'auth-service-constructs-'));
  const path = join(root, 'application');
  const scope = join(path, 'node_modules/@auth-service');
  mkdirSync(scope, { recursive: true });
  await buildConstructs(join(root, 'package'), builtDashboard);
  const tarball = packPackage(join(root, 'package'));
  run(scope, 'tar', ['xzf', tarball]);
  renameSync(join(scope, 'package'), join(scope, 'cdk'));
  for (const name of ['aws-cdk-lib', 'constructs', '@types']) {
    symlinkSync(join(project, 'node_modules', name), join(path, 'node_modules', name));
  }
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  let assemblies = 0;
  return {
    path,
    tarball,
    installed: join(scope, 'cdk'),
    write,
    synthesize: (file, text) => {
      write(file, text);
      const outdir = join(path, `cdk.out.${++assemblies}`);
      run(path, process.execPath, [file], { CDK_OUTDIR: outdir, CDK_VALIDATION: 'false' });
      return outdir;
    },
    run: (program, ...options) => run(path, program, options),
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A template of an assembly. */
export function templateAt(assembly: string, file: string): Template {
  return JSON.parse(readFileSync(join(assembly, `${file}.template.json`), 'utf8'));
}

function run(cwd: string, program: string, options: readonly string[], environment = {}): string {
  // As in a shell of another project: neither the settings of this one nor those of its tests.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...environment };
  const { status, stdout, stderr, error } = spawnSync(program, options, { cwd, encoding: 'utf8', env });
  if (status === 0) return stdout;
  throw new Error(`${program} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
}
