import type { OptionHints } from '#test/cli/option-hints.ts';

/** The commands that the commands for reviews and offboarding show. */
export const hints: OptionHints = {
  prepare: [],
  situations: {
    'options/reviews/cli/app-review-command.ts': [
      { words: 'After the review:', line: 'apps review billing', shows: /^Marked the access of billing as reviewed, / },
    ],
    'options/reviews/cli/offboard-commands.ts': [
      { words: 'Undo with:', line: 'users offboard alan --reason left', shows: /^The user alan is active again/ },
    ],
  },
};
