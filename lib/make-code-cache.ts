import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { warmUpRequest } from './warm-up-request.ts';
import { startWarmUpServer, warmUpEnvironment } from './warm-up-server.ts';

/**
 * Adds `function.cache` to a bundle: what V8 compiled of it up to the answer of its first request. V8 compiles a function
 * when it is first called; a cache made at load would lack most of them.
 */
export async function makeCodeCache(name: string, directory: string): Promise<void> {
  const server = await startWarmUpServer();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { name, directory },
    env: warmUpEnvironment(server.url),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The function's log.
    stdout: true,
  });
  try {
    await new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve));
  } finally {
    server.close();
  }
}

if (!isMainThread && workerData?.directory) await compile(workerData);

async function compile({ name, directory }: { name: string; directory: string }): Promise<void> {
  const made: vm.Script[] = [];
  // The loader's own script, so that the cache is of the very text and options that it will meet.
  vm.Script = class extends vm.Script {
    constructor(...options: ConstructorParameters<typeof vm.Script>) {
      super(...options);
      made.push(this);
    }
  };
  const { handler } = createRequire(import.meta.url)(join(directory, 'index.js'));
  const { event, expected } = warmUpRequest(name);
  const answer = await handler(event, { awsRequestId: 'warm-up', getRemainingTimeInMillis: () => 10_000 });
  if (!expected(answer)) throw new Error(`The warm-up of ${name} was answered ${JSON.stringify(answer)}`);
  const [script] = made;
  if (script === undefined) throw new Error(`The loader of ${name} compiled nothing`);
  await writeFile(join(directory, 'function.cache'), script.createCachedData());
  // The SDK keeps its connections open.
  process.exit();
}
