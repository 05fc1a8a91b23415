import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { checkOffboardings } from './check-offboardings.ts';
import { personnelOf } from './personnel.ts';

/** Reviews and offboarding in the simulation: operators of some seeds import, offboard, and take that back. */
export const part: SimulationPart = {
  draw: personnelOf,
  checks: {
    offboardings: {
      promise: 'an offboarding that is taken back leaves the user as before',
      find: checkOffboardings,
      needsClocks: true,
    },
  },
  brokenConditions: {
    'roles that an offboarding removes': {
      file: 'options/reviews/offboarding.ts',
      text: 'const { outcome, problem } = outcomeAbout(userId, await send.revoke({ appId, role }));',
      instead: "const { outcome, problem } = { outcome: 'changed', problem: undefined } as BulkOutcome;",
      check: 'offboardings',
      seed: 234,
    },
  },
};
