import { expect } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import { allNumbered } from '#test/support/all-numbered.ts';
import { anything } from '#test/support/manage-outcomes/prepare.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';

const names = ['get-overview', 'list-block-ends'];

/** The requests for the overview. */
function manage() {
  return {
    'list-block-ends': {
      done: async () => ({ call: { query: {} }, status: 200, answer: { items: expect.any(Array), cursor: null } }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'get-overview': {
      done: async () => {
        const answer = expect.objectContaining({ blocksEndingThisWeek: { count: 0, more: false } });
        return { call: {}, status: 200, answer };
      },
      'done for one application': async () => ({ call: {}, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
  } satisfies Partial<ManageOutcomes>;
}

/** What the overview adds to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  allowed: { viewer: names, admin: [] },
  always: names,
  // A repair compares the counters, so they are up to date after it.
  examplesAfter: { ['repair' in manageOperations ? 'repair' : 'resolve-users']: names },
  prepareExample: async (service, name) => (name === 'get-overview' ? allNumbered(service) : undefined),
};
