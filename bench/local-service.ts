import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SeededExample } from '../local/seed-example.ts';

/** `npm start` in its own process. */
export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Starts it on free ports, with its data in a new folder; resolves when it is ready. */
export async function startLocalService(folder: string) {
  const script = join(import.meta.dirname, '../local/start.ts');
  const ownAddresses = { PORT: '0', MANAGE_PORT: undefined, OIDC_PORT: undefined, DYNAMODB_ENDPOINT: undefined };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, `--data=${folder}`], {
    env: { ...process.env, ...ownAddresses },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => line.startsWith('Ready after') && resolve());
  const code = await Promise.race([ready, exited]);
  if (code !== undefined) throw new Error(`npm start exited with ${code}`);
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  const example: SeededExample = JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8'));
  return { example, stop };
}
