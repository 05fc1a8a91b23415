import { describe, test } from '@jest/globals';
import { missingTools, type ToolName } from './tools.ts';

/** Defines tests that run programs which `npm ci` does not install. */
interface NeedingTools {
  describe(title: string, body: () => void): void;
  test(title: string, run: () => Promise<void> | void): void;
}

const missing = missingTools();

/** Whether all of these are installed. */
export function isInstalled(...names: readonly ToolName[]): boolean {
  return !names.some((name) => missing.includes(name));
}

/**
 * Defines tests that need these tools and say so in their names. If one is not installed they are skipped, which the
 * end of the run reports (`report-run.ts`); with `CI=true` they fail.
 */
export function needing(...names: readonly ToolName[]): NeedingTools {
  const titled = (title: string) => (names.length === 0 ? title : `${title} (needs ${names.join(', ')})`);
  const lacking = names.filter((name) => missing.includes(name));
  if (lacking.length === 0) {
    return {
      describe: (title, body) => describe(titled(title), body),
      test: (title, run) => test(titled(title), run),
    };
  }
  if (process.env.CI !== 'true') {
    return {
      describe: (title, body) => describe.skip(titled(title), body),
      test: (title, run) => test.skip(titled(title), run),
    };
  }
  const fail = (title: string) =>
    test(titled(title), () => {
      throw new Error(
        `Not installed: ${lacking.join(', ')}. docs/contribute/testing.md says how to install what the tests need.`,
      );
    });
  return { describe: fail, test: fail };
}
