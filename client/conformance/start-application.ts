import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The application, started by the command. */
export interface StartedApplication {
  /** Resolves with the reason when the application ends, unless it is stopped. */
  readonly ended: Promise<string>;
  /** Ends the application and what it has started. */
  stop(): Promise<void>;
}

/** Starts a program in a group of processes of its own; its output goes to stderr. */
export function startApplication(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): StartedApplication {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', process.stderr, process.stderr] });
  const ended = once(child, 'exit').then(
    ([code, signal]) => `The application has ended with ${signal ?? `the exit code ${code}`}`,
    (error: Error) => `The application cannot be started: ${error.message}`,
  );
  return {
    ended,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}
