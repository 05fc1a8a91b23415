import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs a built package as npm publishes it; returns the path of the tarball in its folder. */
export function packPackage(folder: string): string {
  const options = ['pack', '--ignore-scripts', '--silent'];
  return join(folder, execFileSync('npm', options, { cwd: folder, encoding: 'utf8' }).trim());
}

/** Where the code is that a package was built from. */
export interface Repository {
  /** Such as `https://github.com/example/auth-service`. */
  readonly url: string;
  /** The folder of the package. */
  readonly directory: string;
}

/** Says in the manifest of a built package where its code is: npm shows it, and checks it against signed provenance. */
export function nameRepository(folder: string, { url, directory }: Repository): void {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const repository = { type: 'git', url: `git+${url}.git`, directory };
  const links = { repository, homepage: `${url}#readme`, bugs: `${url}/issues` };
  writeFileSync(path, `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`);
}
