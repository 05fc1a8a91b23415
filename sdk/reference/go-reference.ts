import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { project, runProgram } from './run-program.ts';

const module = join(project, 'sdk/go');

/** Writes a page for each package that programs and their tests import, as `go doc` prints it. */
export async function goReference(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  for (const name of ['authservice', 'authservice/authservicetest']) {
    const { stdout } = await runProgram('go', ['doc', '-all', `auth-service/${name}`], {
      cwd: module,
      // The module has no dependencies, so nothing is downloaded.
      env: { GOFLAGS: '', GOPROXY: 'off' },
      from: 'the Debian package golang-go',
    });
    writeFileSync(join(target, `${basename(name)}.txt`), stdout);
  }
}
