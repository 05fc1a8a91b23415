import { CliError } from '../cli/terminal/cli-error.ts';

/** Whether what is asked for is there: false for 404. */
export async function exists(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof CliError && error.problem?.status === 404) return false;
    throw error;
  }
}
