import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { brokenInDirectories } from './broken-directories.ts';
import { checkDirectoryAnswers } from './check-directory-answers.ts';
import { checkDirectoryGroups } from './check-directory-groups.ts';
import { checkDirectoryOrder } from './check-directory-order.ts';
import { checkDirectoryTokens } from './check-directory-tokens.ts';
import { checkDirectoryUsers } from './check-directory-users.ts';
import { Directories } from './directories.ts';
import { contendedSwarm, drawDirectories, isContended } from './directory-swarm.ts';

/** Directories in the simulation: some seeds have them. */
export const part: SimulationPart = {
  adapt: (seed, swarm) => (isContended(seed) ? contendedSwarm(swarm) : swarm),
  draw: (seed, run) => {
    const drawn = drawDirectories(seed, run.suffix, run.swarm);
    return drawn.length === 0 ? undefined : new Directories(run, drawn);
  },
  checks: {
    'directory-users': {
      promise: 'a directory changes only its own users, and a status only if it says another one than before',
      find: checkDirectoryUsers,
    },
    'directory-groups': {
      promise: 'members have the roles of their groups, which take only what they gave',
      find: checkDirectoryGroups,
    },
    'directory-answers': {
      promise: 'each response to a directory was true during its request, and its last word holds',
      find: checkDirectoryAnswers,
    },
    'directory-order': {
      promise: 'what requests of a directory do together, they could have done one after the other',
      find: checkDirectoryOrder,
    },
    'directory-tokens': {
      promise: 'a token that has ended is refused, and no other',
      find: checkDirectoryTokens,
      needsClocks: true,
    },
  },
  brokenConditions: brokenInDirectories,
};
