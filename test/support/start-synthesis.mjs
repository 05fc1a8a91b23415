import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compileCache } from './environments.ts';
import { openCache } from './synthesis-cache.ts';

/** Jest's global set-up of the project `stack`; those with an assembly call it first. */
export default async function startSynthesis() {
  if (process.env.TEST_SYNTHESIS_URL !== undefined) return;
  const folder = openCache();
  // The CDK's settings from the environment are not part of the cache's key.
  const { CDK_CONTEXT_JSON: _, CDK_OUTDIR: __, ...env } = process.env;
  const script = join(import.meta.dirname, 'synthesis-server.ts');
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(server.stdout, 'data');
  for (const handle of [server, server.stdin, server.stdout]) handle.unref();
  Object.assign(process.env, { TEST_SYNTHESIS_FOLDER: folder, TEST_SYNTHESIS_URL: String(url).trim() });
}
