import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { LocalError } from '#local/local-error.ts';

/** The example of the documentation, the same file that `node examples/login-express/login-express.ts` runs. */
const example = new URL('../../../examples/login-express/login-express.ts', import.meta.url);

/** The environment of the example. */
export interface ExampleEnvironment {
  readonly ISSUER: string;
  readonly CLIENT_ID: string;
  readonly PORT: string;
}

/** Runs the example application in a worker, which ends with this process; resolves when it listens, with how to stop it. */
export async function startExampleApplication(
  { ISSUER, CLIENT_ID, PORT }: ExampleEnvironment,
  log?: (line: string) => void,
): Promise<() => Promise<void>> {
  const worker = new Worker(example, {
    env: { ISSUER, CLIENT_ID, PORT },
    stdout: true,
    stderr: true,
    // As for the functions: without limits V8 lets the heap grow as if this were the only one.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  });
  const lines = createInterface(worker.stdout);
  createInterface(worker.stderr).on('line', (line) => log?.(`example app: ${line}`));
  worker.on('error', (error) => isInUse(error) || log?.(`example app: ${error.stack ?? error}`));
  // It says where it listens.
  await Promise.race([once(lines, 'line'), once(worker, 'exit')]).catch((error: Error) => {
    if (!isInUse(error)) throw error;
    throw new LocalError(`Port ${PORT} is in use: stop the other program, or choose another port with APP_PORT.`);
  });
  return async () => void (await worker.terminate());
}

/** Whether the port was taken after the local run had found it free. */
function isInUse(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EADDRINUSE';
}
