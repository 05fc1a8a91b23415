import type { OptionHints } from '#test/cli/option-hints.ts';

/** The hints of the commands for webhooks. */
export const hints: OptionHints = {
  prepare: ['webhooks create billing backend https://billing.example.com/hooks/access'],
  situations: {
    'options/webhooks/cli/webhook-commands.ts': [
      { words: 'See the result:', line: 'webhooks test billing backend', shows: /^WHEN .* EVENT|^$/ },
    ],
  },
};
