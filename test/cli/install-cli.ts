import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildCli } from '../../cli/build/build-cli.ts';
import type { CliResult } from './run-cli.ts';

/** The command line as operators install it: the tarball, installed by npm in an empty folder. */
export interface InstalledCli {
  readonly folder: string;
  /** The folder of the installed package. */
  readonly installed: string;
  /** Runs it on a version of Node.js, with only the given environment variables. */
  run(node: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CliResult>;
  remove(): void;
}

/** Builds, packs and installs the command line, without a network. */
export async function installCli(): Promise<InstalledCli> {
  const root = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
  const folder = join(root, 'operator');
  mkdirSync(folder);
  await buildCli(join(root, 'package'));
  const tarball = packPackage(join(root, 'package'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "operator", "private": true }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'pipe' });
  return {
    folder,
    installed: join(folder, 'node_modules/@auth-service/cli'),
    run: async (node, args, env = {}) => {
      const child = spawn(node, [join(folder, 'node_modules/.bin/auth-service'), ...args], { cwd: folder, env });
      child.stdin.end();
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
      return { code, stdout, stderr };
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}
