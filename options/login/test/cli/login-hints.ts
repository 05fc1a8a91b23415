import type { OptionHints } from '#test/cli/option-hints.ts';

/** The hints of the commands for accounts. */
export const hints: OptionHints = {
  prepare: ['users create invitee --email invitee@example.com'],
  situations: {
    'options/login/cli/account-commands.ts': [
      { words: 'See whether it was sent:', line: 'accounts invite invitee', shows: /^user +invitee\naccount +\S/ },
    ],
  },
};
