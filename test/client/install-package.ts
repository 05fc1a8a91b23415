import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildClient } from '../../client/build/build-client.ts';
import { readClientPackage } from '../../client/build/client-package.ts';
import { checksModules } from '../support/tools.ts';

const project = join(import.meta.dirname, '../..');

/** An application project with the client's tarball, installed by npm. */
export interface ClientProject {
  readonly path: string;
  readonly tarball: string;
  /** The folder of the installed package. */
  readonly installed: string;
  write(name: string, text: string): void;
  /** Makes packages of this project, or of `.ci/checks`, available to the compiler and at run time. */
  linkTypes(...packages: readonly string[]): void;
  /** Runs a program in the project and returns its stdout; if it fails, throws an error with all of its output. */
  run(program: string, ...options: readonly string[]): string;
  remove(): void;
}

/** Builds and packs the client from its sources, and installs the tarball in a new project. */
export async function installClient(): Promise<ClientProject> {
  const root = mkdtempSync(join(tmpdir(), 'auth-service-client-'));
  const path = join(root, 'application');
  mkdirSync(path);
  await buildClient(join(root, 'package'));
  const tarball = packPackage(join(root, 'package'));
  const client: ClientProject = {
    path,
    tarball,
    installed: join(path, 'node_modules', readClientPackage().name),
    write: (name, text) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    linkTypes: (...packages) => {
      for (const types of packages) {
        const to = join(path, 'node_modules', types);
        mkdirSync(dirname(to), { recursive: true });
        // A link, so that the compiler also finds the package's own dependencies.
        const from = [join(project, 'node_modules'), checksModules]
          .map((folder) => join(folder, types))
          .find(existsSync);
        if (from === undefined) throw new Error(`Not installed: ${types}`);
        if (!existsSync(to)) symlinkSync(from, to);
      }
    },
    run: (program, ...options) => run(path, program, options),
    remove: () => rmSync(root, { recursive: true }),
  };
  client.write('package.json', '{ "name": "application", "private": true }');
  client.run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return client;
}

function run(cwd: string, program: string, options: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, options, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
}

/** The path of a development tool of this project. */
export function tool(name: string): string {
  return join(project, 'node_modules/.bin', name);
}
