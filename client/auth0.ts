import { createLoginDecision, type LoginOptions } from './logins/decide-login.ts';

export type { AccessSource, GuardedAccess, LocalSource, RemoteSource, SourceAnswer } from './guards/access-source.ts';
export type { GuardDecision, UserIdResult } from './guards/guard-decision.ts';
export type { LoginApplication, LoginOptions } from './logins/decide-login.ts';

/**
 * The event of a post-login Action: its members that matter here.
 * https://auth0.com/docs/customize/actions/explore-triggers/signup-and-login-triggers/login-trigger/post-login-event-object
 */
export interface PostLoginEvent {
  /** The application of Auth0 to which the user logs in. */
  readonly client: {
    /** The id of the application in Auth0. */
    readonly client_id: string;
  };
  /** The user who logs in. */
  readonly user: {
    /** The id of the user in Auth0. */
    readonly user_id: string;
    /** The address, if Auth0 has one; it can change. */
    readonly email?: string;
  };
  /** The secrets of the Action, by name. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What an Action can do with a token. */
export interface TokenApi {
  /** Adds a claim to the token. */
  setCustomClaim(name: string, value: unknown): unknown;
}

/** What a post-login Action can do: the members that matter here. */
export interface PostLoginApi {
  /** Denies the login. */
  readonly access: {
    /** The reason is for the log of Auth0 and for the application. */
    deny(reason: string): unknown;
  };
  /** The ID token. */
  readonly idToken: TokenApi;
  /** The access token. */
  readonly accessToken: TokenApi;
}

/** The options of the Action: those of every login, and the claim. */
export interface PostLoginOptions<Event> extends LoginOptions<Event> {
  /** The claim with the names of the user's roles: a URL, because Auth0 reserves `roles` and drops claims that collide. */
  readonly claim: string;
}

/**
 * A post-login Action of Auth0, which runs at the login and at each refresh. It denies tokens to users who may not enter the
 * application of the client, and adds the names of their roles to the ID and access token as a list. Throws a TypeError for
 * invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { type PostLoginApi, type PostLoginEvent, postLogin } from '@auth-service/client/auth0';
 *
 * let action: ReturnType<typeof postLogin> | undefined;
 *
 * export async function onExecutePostLogin(event: PostLoginEvent, api: PostLoginApi): Promise<void> {
 *   const { AUTH_URL: baseUrl = '', AUTH_KEY_ID: keyId = '', AUTH_SECRET: secret = '' } = event.secrets;
 *   action ??= postLogin({
 *     applications: { 'AaBbCcDdEeFfGgHh': { source: new AuthServiceClient({ baseUrl, keyId, secret }) } },
 *     userId: ({ user }) => user.user_id,
 *     claim: 'https://example.com/roles',
 *   });
 *   await action(event, api);
 * }
 * ```
 */
export function postLogin<Event extends PostLoginEvent = PostLoginEvent>(
  options: PostLoginOptions<Event>,
): (event: Event, api: PostLoginApi) => Promise<void> {
  const decide = createLoginDecision('postLogin', options);
  const { claim } = options;
  if (!/^https?:\/\/./.test(claim)) throw new TypeError('claim of postLogin must be a URL: Auth0 reserves other names');
  return async (event, { access, idToken, accessToken }) => {
    const decision = await decide(event.client.client_id, event);
    if ('denied' in decision) {
      access.deny(decision.denied);
      return;
    }
    idToken.setCustomClaim(claim, decision.roles);
    accessToken.setCustomClaim(claim, decision.roles);
  };
}
