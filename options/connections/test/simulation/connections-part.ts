import type { SimulationPart } from '#test/simulation/option-parts.ts';

/** Gateways and directories use connections in the simulation; they do nothing of their own. */
export const part: SimulationPart = {
  draw: () => undefined,
  checks: {},
  brokenConditions: {
    'application that a gateway asked about': {
      file: 'options/connections/server/answer-questions.ts',
      text: 'return application === undefined ? notAllowed : decideEvaluation({ application, user, access }, action, at);',
      instead: 'return decideEvaluation({ application: application as never, user, access }, action, at);',
      check: 'errors',
      seed: 213,
      processCopies: 6,
    },
  },
};
