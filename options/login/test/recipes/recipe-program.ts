import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '#test/support/eventually.ts';

/** A recipe's application. */
export interface RecipeProgram {
  /** What it has written so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Runs a program and waits until its address answers; throws with its output if it ends before. */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  { home, env, cwd }: { readonly home: string; readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<RecipeProgram> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'exit');
  const answers = () => fetch(home, { redirect: 'manual' }).catch(() => undefined);
  await eventually(answers, (answer) => answer !== undefined || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`${program} ended.\n${output}`);
  return {
    output: () => output,
    stop: async () => {
      if (child.kill()) await ended;
    },
  };
}
