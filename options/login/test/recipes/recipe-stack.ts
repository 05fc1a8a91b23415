import * as v from 'valibot';
import { runStack } from '#local/run-stack.ts';
import { createManageClient, repeatUnavailable } from '#test/support/ask-manage.ts';
import { withoutSettling } from '#test/support/environments.ts';
import { eventually } from '#test/support/eventually.ts';
import { startEmulator } from '#test/support/start-service.ts';
import { requestSynthesis } from '#test/support/synthesis.ts';

/** Where an application is. */
export interface RecipeApplication {
  readonly home: string;
  readonly callbackPath: string;
  readonly clientType: 'public' | 'confidential';
}

/** An application's client at the login. */
export interface RecipeClient {
  readonly appId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** A running stack with the login, and the Management API as far as the recipes need it. */
export interface RecipeStack {
  /** Creates an application at an address, with its login and the role `editor`. */
  addApplication(appId: string, application: RecipeApplication): Promise<RecipeClient>;
  /** Creates a user, with an account to log in with. */
  invite(userId: string): Promise<void>;
  assignEditor(userId: string, appId: string): Promise<void>;
  revokeEditor(userId: string, appId: string): Promise<void>;
  setStatus(userId: string, appId: string, status: 'enabled' | 'disabled'): Promise<void>;
  /** Asks the Management API; throws unless it succeeds. */
  ask(method: string, path: string, body?: object): Promise<unknown>;
  /** The URL of the HTTP API. */
  readonly url: string;
  /** Can be called twice. */
  stop(): Promise<void>;
}

/** Runs the whole stack with its login: its bundles, a table in memory, and the stand-in of the user pool. */
export async function startRecipeStack(): Promise<RecipeStack> {
  const assembly = await requestSynthesis({ kind: 'assembly', context: { login: 'on', endpoints: 'scim' } });
  const dynamodb = await startEmulator();
  const stack = await runStack({
    assembly,
    dynamodb: dynamodb.endpoint,
    tableName: 'recipes',
    root: Buffer.alloc(32, 7).toString('base64'),
    environment: withoutSettling,
  });
  const client = repeatUnavailable(createManageClient(stack.manageUrl, stack.accessKey));
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { status, body: answer } = await client(method, path, body);
    if (status < 300) return answer;
    throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  };
  let stopping: Promise<void> | undefined;
  return {
    ask,
    url: stack.url,
    addApplication: async (appId, { home, callbackPath, clientType }) => {
      await ask('POST', '/applications', { appId, name: appId });
      await ask('PUT', `/applications/${appId}/roles/editor`, {});
      const path = `/applications/${appId}/login`;
      await ask('PUT', path, { clientType, redirectUris: [`${home}${callbackPath}`], logoutUris: [`${home}/`] });
      const read = async () => v.parse(loginSchema, await ask('GET', path));
      const { clientId, issuer } = await eventually(read, (login) => login.clientId !== null);
      const clientSecret =
        clientType === 'public' ? undefined : v.parse(secretSchema, await ask('POST', `${path}/secrets`)).secret;
      return { appId, issuer, clientId: clientId ?? '', clientSecret };
    },
    invite: async (userId) => {
      await ask('PUT', `/users/${userId}`, { displayName: userId, email: `${userId}@example.com` });
      await ask('POST', `/users/${userId}/invitation`);
      const read = async () => v.parse(accountSchema, await ask('GET', `/users/${userId}/account`));
      await eventually(read, ({ state }) => state === 'invited');
    },
    assignEditor: async (userId, appId) => void (await ask('PUT', `/users/${userId}/roles/${appId}/editor`, {})),
    revokeEditor: async (userId, appId) => void (await ask('DELETE', `/users/${userId}/roles/${appId}/editor`)),
    setStatus: async (userId, appId, status) => void (await ask('PUT', `/users/${userId}/access/${appId}`, { status })),
    stop: () => {
      stopping ??= stack.close().then(() => dynamodb.stop());
      return stopping;
    },
  };
}

const loginSchema = v.object({ clientId: v.nullable(v.string()), issuer: v.string() });
const secretSchema = v.object({ secret: v.string() });
const accountSchema = v.object({ state: v.string() });
