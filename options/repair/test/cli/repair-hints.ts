import type { OptionHints } from '#test/cli/option-hints.ts';

/** The hint of the command for a repair. */
export const hints: OptionHints = {
  prepare: [],
  situations: {
    'options/repair/cli/repair-command.ts': [
      {
        words: 'Continue with:',
        line: 'repair --dry-run --restart-feeds 15m',
        refused: /^POST \/repair\?.*cursor/,
        shows: /^Checked [\d,]+ items/m,
      },
    ],
  },
};
