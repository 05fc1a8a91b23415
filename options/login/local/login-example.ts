import { setTimeout as pause } from 'node:timers/promises';
import type { ExampleAddition, ExampleContext } from '#local/local-part.ts';
import { startExampleApplication } from './example-application.ts';

/** The example company, and where its login and application are. */
export interface LoginExampleOptions extends ExampleContext {
  readonly issuer: string;
  readonly port: number;
  /** How often the id of the client is asked for. Default: for half a minute. */
  readonly polls?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** What the example gets, and how its application is stopped. */
export interface LoginExample extends ExampleAddition {
  close(): Promise<void>;
}

const pollMs = 100;

/** Gives the example's application a login, invites its users, and runs an application that they log in to. */
export async function addLoginExample(options: LoginExampleOptions): Promise<LoginExample> {
  const { manage, userIds, appId, issuer, port, log } = options;
  const appUrl = `http://127.0.0.1:${port}`;
  const line = ['Login', `${issuer} (development login for people)`] as const;
  await Promise.all(userIds.map((userId) => inviteUser(manage, userId)));
  const clientId = await createClient(options, appUrl);
  if (clientId === undefined) {
    const reason = `not started, because the login of ${appId} has no client yet; --verbose shows the log of its functions`;
    return { members: {}, lines: [line, ['Example app', reason]], close: async () => {} };
  }
  const close = await startExampleApplication({ ISSUER: issuer, CLIENT_ID: clientId, PORT: String(port) }, log);
  const told = `${appUrl}: log in as Ada, block her in the dashboard, and reload`;
  return { members: { login: { issuer, clientId, appUrl } }, lines: [line, ['Example app', told]], close };
}

/** An account that is there already is not invited again at each start. */
async function inviteUser(manage: ExampleContext['manage'], userId: string): Promise<void> {
  const { state } = await manage.call('get-account', { path: { userId } });
  if (state === 'none') await manage.call('invite-user', { path: { userId } });
}

/** The login has no id of a client until the stack has created it; undefined if that takes too long. */
async function createClient(
  { manage, appId, polls = 300 }: LoginExampleOptions,
  appUrl: string,
): Promise<string | undefined> {
  const path = { appId };
  const body = { redirectUris: [`${appUrl}/callback`], logoutUris: [`${appUrl}/`], clientType: 'public' } as const;
  await manage.call('set-login', { path, body });
  for (let poll = 1; poll <= polls; poll++) {
    const { clientId } = await manage.call('get-login', { path });
    if (clientId !== null) return clientId;
    await pause(pollMs);
  }
  return undefined;
}
