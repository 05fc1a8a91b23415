import type { BrokenCondition } from '#test/simulation/broken-conditions.ts';

/** What the comparison of counters rests on while they change. */
export const brokenInRepair: Readonly<Record<string, BrokenCondition>> = {
  'nothing changes while counters are compared': {
    file: 'options/repair/server/repair-counters.ts',
    text: 'return states.every(({ seen }, at) => seen === began[at]?.seen);',
    instead: 'return states.length === began.length;',
    check: 'overview',
    seed: 27,
  },
  'what is pending is compared too': {
    file: 'options/repair/server/feed-state.ts',
    text: 'addToTotals(counted.totals, unnumbered);',
    instead: 'addToTotals(counted.totals, []);',
    check: 'overview',
    seed: 17,
  },
};
