import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../local/listen.ts';
import { bareEnvironment } from './environments.ts';
import { cognitoLocal } from './tools.ts';

/** Starts cognito-local, with this configuration, in a folder of its own. */
export async function startCognitoLocal(config: object) {
  const folder = mkdtempSync(join(tmpdir(), 'cognito-'));
  mkdirSync(join(folder, '.cognito'));
  writeFileSync(join(folder, '.cognito/config.json'), JSON.stringify(config));
  const port = await findFreePort();
  const env = { ...bareEnvironment, HOST: '127.0.0.1', PORT: String(port) };
  const child = spawn(process.execPath, [cognitoLocal], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('running on')) return { url: `http://127.0.0.1:${port}`, stop };
  }
  stop();
  throw new Error(`cognito-local did not start: ${said}`);
}
