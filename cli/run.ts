import { createKit } from './kit.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { createTerminal, type Surroundings } from './terminal.ts';

/** Runs one command line and answers what the process shall end with. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const terminal = createTerminal(surroundings);
  const program = createProgram(createKit(terminal));
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, terminal, program.opts().debug === true);
  }
}
