import type { OptionHints } from '#test/cli/option-hints.ts';

/** The hints of the commands for connections. */
export const hints: OptionHints = {
  prepare: [],
  situations: {
    'options/connections/cli/connection-commands.ts': [
      { words: 'Issue its token:', line: 'connections create gateway --app billing', shows: /svt_/ },
    ],
  },
};
