import { join } from 'node:path';
import type { LocalPart, PartContext, RunningPart } from '#local/local-part.ts';
import type { ProviderState } from '#local/provider-parts.ts';
import type { UserPoolModel } from '#local/user-pools.ts';
import { addLoginExample } from './login-example.ts';
import { createPreTokenTrigger } from './pre-token-trigger.ts';

const poolFile = 'login.json';

/** Runs a stand-in of the user pool for people, a login over it, and an application that uses it. */
export const loginPart: LocalPart = {
  settings: { login: 'on' },
  ports: [
    { variable: 'LOGIN_PORT', meaning: 'the login for people' },
    { variable: 'APP_PORT', meaning: 'the example application with that login' },
  ],
  files: [poolFile],
  start: async (context) => {
    const [pool] = context.stack.userPools;
    return pool && (await startLogin(pool, context));
  },
};

async function startLogin(model: UserPoolModel, { ports, folder, invoke, log }: PartContext): Promise<RunningPart> {
  // Loaded only for a stack with this pool.
  const [{ StandInPool }, { servePool }, { servePeopleLogin }, { createProviderState }, { findFreePort }] =
    await Promise.all([
      import('./stand-in-pool.ts'),
      import('./stand-in-service.ts'),
      import('./people-login.ts'),
      import('#local/provider-parts.ts'),
      import('#local/listen.ts'),
    ]);
  const appPort = await findFreePort(ports.APP_PORT, 'APP_PORT');
  const state: ProviderState = createProviderState();
  const file = folder === undefined ? undefined : join(folder, poolFile);
  const pool = new StandInPool({ id: model.id, file, onSignOut: state.endAccount });
  const trigger = createPreTokenTrigger({
    poolId: pool.id,
    invoke: (event) => invoke(model.triggerFunctionId, event),
  });
  const login = await servePeopleLogin({ port: ports.LOGIN_PORT ?? 0, pool, trigger, state, log });
  const service = await servePool(pool);
  let closeExample = async () => {};
  return {
    environment: { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: service.url },
    issuers: { [model.issuer]: login.issuer },
    addExample: async (example) => {
      const { close, ...addition } = await addLoginExample({ ...example, issuer: login.issuer, port: appPort, log });
      closeExample = close;
      return addition;
    },
    close: async () => void (await Promise.all([closeExample(), login.close(), service.close()])),
  };
}
