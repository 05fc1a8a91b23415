import { join } from 'node:path';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  calculatePKCECodeChallenge,
  discovery,
  randomPKCECodeVerifier,
} from 'openid-client';
import { createProviderState } from '#local/provider-parts.ts';
import { servePeopleLogin } from '#options/login/local/people-login.ts';
import { createPreTokenTrigger, type TriggerOutcome } from '#options/login/local/pre-token-trigger.ts';
import { StandInPool } from '#options/login/local/stand-in-pool.ts';
import { servePool } from '#options/login/local/stand-in-service.ts';
import { locationOf, openBrowser } from '#test/local/log-in.ts';
import { makeFolder } from '#test/local/write-assembly.ts';

/** Where the application of the tests is; nothing listens there. */
export const redirectUri = 'http://127.0.0.1:9/callback';

/** An event of the trigger, as far as the tests read it. */
export interface TriggerEvent {
  readonly version: string;
  readonly triggerSource: string;
  readonly userPoolId: string;
  readonly userName: string;
  readonly callerContext: { readonly clientId: string };
  readonly request: { readonly userAttributes: Record<string, string>; readonly scopes: readonly string[] };
  readonly response: unknown;
}

/** A login with its pool, and a trigger function that the tests answer for. */
export type PeopleLogin = Awaited<ReturnType<typeof startPeopleLogin>>;

/** Answers an event of the trigger with these claims in both tokens. */
export function answerWith(event: TriggerEvent, claimsToAddOrOverride: object): TriggerOutcome {
  const generation = { claimsToAddOrOverride };
  const claimsAndScopeOverrideDetails = { idTokenGeneration: generation, accessTokenGeneration: generation };
  return { kind: 'result', json: JSON.stringify({ ...event, response: { claimsAndScopeOverrideDetails } }) };
}

/** Starts a login over an empty pool, or over the one of an earlier start in the folder. */
export async function startPeopleLogin({ folder, timeoutMs }: { folder?: string; timeoutMs?: number } = {}) {
  const data = folder ?? (await makeFolder());
  const state = createProviderState();
  const pool = new StandInPool({ id: 'local_People', file: join(data, 'login.json'), onSignOut: state.endAccount });
  const events: TriggerEvent[] = [];
  const login = {
    decide: async (event: TriggerEvent): Promise<TriggerOutcome> =>
      answerWith(event, { user_id: event.userName, roles: ['viewer'] }),
  };
  const invoke = async (event: object) => {
    events.push(event as TriggerEvent);
    return await login.decide(event as TriggerEvent);
  };
  const trigger = createPreTokenTrigger({ poolId: pool.id, invoke, timeoutMs });
  const failures: string[] = [];
  const service = await servePool(pool);
  const { issuer, close } = await servePeopleLogin({
    port: 0,
    pool,
    trigger,
    state,
    log: (line) => failures.push(line),
  });
  const call = callerOf(service.url);
  return Object.assign(login, {
    folder: data,
    issuer,
    pool,
    state,
    events,
    failures,
    url: service.url,
    call,
    close: async () => void (await Promise.all([close(), service.close()])),
  });
}

/** Calls Cognito's API for one pool, as a function does. */
export function callerOf(url: string, UserPoolId = 'local_People') {
  return async (action: string, input: object = {}) => {
    const headers = {
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      'content-type': 'application/x-amz-json-1.1',
      authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/local/cognito-idp/aws4_request',
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ UserPoolId, ...input }) });
    // biome-ignore lint/suspicious/noExplicitAny: the answers of a foreign API
    return { status: answer.status, body: (await answer.json()) as any };
  };
}

/** Creates a user, with a verified address. */
export async function createPerson({ call }: Pick<PeopleLogin, 'call'>, Username: string, name = Username) {
  const email = `${Username.replace(/\W/g, '.')}@example.com`;
  const attributes = { name, email, email_verified: 'true' };
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  return await call('AdminCreateUser', { Username, UserAttributes, DesiredDeliveryMediums: ['EMAIL'] });
}

/** Settings of a client for the code flow with tokens of five minutes. */
export const clientSettings = {
  ClientName: 'Billing',
  CallbackURLs: [redirectUri],
  LogoutURLs: ['http://127.0.0.1:9/'],
  AllowedOAuthFlows: ['code'],
  AllowedOAuthFlowsUserPoolClient: true,
  AllowedOAuthScopes: ['openid', 'email', 'profile'],
  AccessTokenValidity: 5,
  IdTokenValidity: 5,
  TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes' },
  RefreshTokenRotation: { Feature: 'ENABLED' },
};

/** Creates a client and returns its id; `more` replaces settings. */
export async function createClient({ call }: Pick<PeopleLogin, 'call'>, more: object = {}) {
  const { body } = await call('CreateUserPoolClient', { ...clientSettings, ...more });
  return body.UserPoolClient as { readonly ClientId: string; readonly ClientSecret?: string };
}

/** What an application knows of the login. */
export async function discover({ issuer }: Pick<PeopleLogin, 'issuer'>, clientId: string, auth?: ClientAuth) {
  return await discovery(new URL(issuer), clientId, undefined, auth, { execute: [allowInsecureRequests] });
}

type Discovered = Awaited<ReturnType<typeof discover>>;

/** Begins a login in a browser, with PKCE, and returns where the browser is sent. */
export async function beginLogin(config: Discovered, browser = openBrowser(), more: Record<string, string> = {}) {
  const verifier = randomPKCECodeVerifier();
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { verifier, browser, response: await browser(url) };
}

/** Chooses a person on the page of a login; returns the answer to the last redirect within the login. */
export async function choosePerson({ browser, response }: Awaited<ReturnType<typeof beginLogin>>, person: string) {
  const chosen = await browser(locationOf(response), { person });
  return chosen.status === 303 ? await browser(locationOf(chosen)) : chosen;
}

/** A whole login as an application and a browser perform it. */
export async function logInAs(config: Discovered, person: string, browser = openBrowser()) {
  const begun = await beginLogin(config, browser);
  const callback = locationOf(await choosePerson(begun, person));
  return await authorizationCodeGrant(config, callback, { pkceCodeVerifier: begun.verifier });
}
