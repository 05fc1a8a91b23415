import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { warmUpRequest, warmUpRoot } from '../lib/warm-up-request.ts';
import { warmUpEnvironment } from '../lib/warm-up-server.ts';
import { unverified } from './cold-start.ts';

/** What one run of requests took, each. */
export interface WarmRun {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
}

/** A process that has a function loaded. */
export interface WarmProcess {
  /** Invokes it so often, with so many in flight. */
  run(requests: number, inFlight: number): Promise<WarmRun>;
  close(): Promise<void>;
}

export interface WarmProcessOptions {
  /** On the first processor alone. */
  readonly pinned: boolean;
  /** Node's own options. */
  readonly execArgv?: readonly string[];
}

/** Loads a file that exports a handler. */
export function startWarmProcess(file: string, url: string, options: WarmProcessOptions): WarmProcess {
  const { pinned, execArgv = [] } = options;
  const event = JSON.stringify(warmUpRequest('get-access').event);
  const command = [process.execPath, ...execArgv, join(import.meta.dirname, 'warm-process.cjs'), file, event];
  const [program = '', ...args] = pinned ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...warmUpEnvironment(url), ...localRoot, ...unverified },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    run: (requests, inFlight) =>
      new Promise((resolve, reject) => {
        const failed = () => reject(new Error(`${file} ended before its requests`));
        child.once('exit', failed).once('message', (taken: WarmRun) => {
          child.off('exit', failed);
          resolve(taken);
        });
        child.send({ requests, inFlight });
      }),
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** The table does not play KMS, which is asked once in a process's life. */
const localRoot = { ROOT_KEYS: `k1=local:${warmUpRoot.toString('base64')}` };
