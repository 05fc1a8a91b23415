import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { brokenInLogins } from './broken-logins.ts';
import { checkAccounts, checkClients } from './check-logins.ts';
import { checkSessions, checkTokens } from './check-sessions.ts';
import { drawLogins } from './login-swarm.ts';
import { Logins, setPool } from './login-world.ts';

/** Logins in the simulation: some seeds have them. */
export const part: SimulationPart = {
  draw: (seed, run) => {
    const swarm = drawLogins(seed);
    setPool(swarm !== undefined);
    return swarm && new Logins(run, swarm);
  },
  checks: {
    'login-accounts': {
      promise: 'in the end an account is enabled exactly if its user is active and has one',
      find: checkAccounts,
      needsClocks: true,
    },
    'login-clients': {
      promise: 'in the end each login has one client, and there is no other',
      find: checkClients,
      needsClocks: true,
    },
    'login-sessions': {
      promise: 'in the end no session is older than the order to end it',
      find: checkSessions,
      needsClocks: true,
    },
    'login-tokens': { promise: 'nobody gets tokens who may not enter', find: checkTokens, needsClocks: true },
  },
  brokenConditions: brokenInLogins,
};
