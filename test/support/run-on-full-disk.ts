import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bareEnvironment } from './environments.ts';

/** Runs a module's code in a process that can write only this many blocks of 512 bytes to a file, as on a full disk. */
export function runOnFullDisk(code: string, blocks: number): { readonly status: number | null } {
  const node = `"${process.execPath}" --disable-warning=ExperimentalWarning --input-type=module`;
  return spawnSync('sh', ['-c', `ulimit -f ${blocks}; exec ${node} -e "$CODE"`], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...bareEnvironment, CODE: code },
  });
}
