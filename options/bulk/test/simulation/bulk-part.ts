import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { checkImports } from './check-imports.ts';

/** Imports and the undo of bulks in the simulation: clients undo what they changed, and some seeds import. */
export const part: SimulationPart = {
  draw: () => undefined,
  checks: {
    imports: { promise: 'an import does what its file asks for and its flags allow, and says so', find: checkImports },
  },
  brokenConditions: {
    'changes of an undone bulk': {
      file: 'options/bulk/table/bulk-range.ts',
      text: ", where: { attribute: 'bulkId', value: bulkId }",
      instead: '',
      check: 'undo',
      seed: 25,
    },
    'modification between the changes of an undone bulk': {
      file: 'options/bulk/server/undo-whole-bulk.ts',
      text: 'if (!isOwn(later) || ',
      instead: 'if (',
      check: 'undo',
      seed: 115,
    },
    'confirmation of an import that reactivates': {
      file: 'options/bulk/server/import-users.ts',
      text: 'if (needsConfirmation && !rules.reactivate) return refuse(context, unconfirmed(effect));',
      instead: '',
      check: 'imports',
      seed: 747,
    },
  },
};
