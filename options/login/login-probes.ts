import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual, type Trial } from '#smoke/trial.ts';

const login = ({ appId }: Trial) => ({ path: { appId } });
const account = ({ userId }: Trial) => ({ path: { userId } });

/** The runs against deployments that have a login. */
const offering = new WeakSet<Trial>();
const missing = 'this deployment has no login';

/** What logins add to the smoke test. The user of a run has no e-mail address, so that no invitation is sent. */
export const loginProbes: OptionProbes = {
  preparation: {
    'set-login': {
      request: (trial) => ({
        ...login(trial),
        body: { clientType: 'confidential', redirectUris: ['https://smoke.invalid/callback'] },
      }),
      check: ({ changed, issuer }, trial) => {
        requireEqual('changed', changed, true);
        if (issuer !== null) offering.add(trial);
        return issuer ?? missing;
      },
    },
    'get-login': {
      request: login,
      check: ({ clientId }, trial) => requireEqual('a client', clientId !== null, offering.has(trial)),
      withinSeconds: 60,
    },
  },
  operation: {
    'add-login-secret': {
      request: login,
      check: ({ secret }) => requireEqual('secret', secret.length > 20, true),
      skip: (trial) => (offering.has(trial) ? undefined : missing),
    },
    'invite-user': { request: account, check: ({ state }) => requireEqual('state', state === 'none', false) },
    'get-account': {
      request: account,
      check: ({ invitedAt }) => requireEqual('invited', invitedAt !== null, true),
    },
    'sign-out-user': {
      request: account,
      check: ({ signedOutAt }) => requireEqual('signed out', signedOutAt !== null, true),
    },
    'delete-account': { request: account, check: ({ changed }) => requireEqual('changed', changed, true) },
    'delete-login': { request: login, check: ({ changed }) => requireEqual('changed', changed, true) },
  },
};
