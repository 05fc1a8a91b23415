import { createLoginDecision, type LoginOptions } from './logins/decide-login.ts';

export type { AccessSource, GuardedAccess, LocalSource, RemoteSource, SourceAnswer } from './guards/access-source.ts';
export type { GuardDecision, UserIdResult } from './guards/guard-decision.ts';
export type { LoginApplication, LoginOptions } from './logins/decide-login.ts';

/**
 * The event of a pre token generation trigger, of any version: its members that matter here.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
export interface TokenEvent {
  /** The version of the event: `1`, `2` or `3`. */
  readonly version: string;
  /** Why tokens are made, such as `TokenGeneration_Authentication`. */
  readonly triggerSource: string;
  /** The user pool. */
  readonly userPoolId: string;
  /** Absent with `TokenGeneration_ClientCredentials`, where no user logs in. */
  readonly userName?: string;
  /** The app client that gets the tokens. */
  readonly callerContext: {
    /** The id of the app client. */
    readonly clientId: string;
  };
  /** What Cognito passes. */
  readonly request: {
    /** The attributes of the user, such as `sub` and `email`. */
    readonly userAttributes?: Readonly<Record<string, string>>;
    /** The groups of the user. */
    readonly groupConfiguration?: object;
  };
  /** What the trigger answers: the claims to add. */
  readonly response: object;
}

/**
 * The handler of a pre token generation trigger of Amazon Cognito (V1, V2 or V3). It denies tokens, at the login and at each
 * refresh, to users who may not enter the application of the app client, and adds the names of their roles as a claim, by
 * default `roles`: a list in the ID and access token, and with V1 a text in the ID token, separated by spaces. Throws a
 * TypeError for invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { tokenTrigger } from '@auth-service/client/cognito';
 *
 * const { AUTH_URL: baseUrl = '', AUTH_KEY_ID: keyId = '', AUTH_SECRET: secret = '' } = process.env;
 * const billing = new AuthServiceClient({ baseUrl, keyId, secret });
 *
 * export const handler = tokenTrigger({
 *   applications: { '1example23456789': { source: billing } },
 *   userId: ({ request }) => request.userAttributes?.sub,
 *   whenUnavailable: 'deny',
 * });
 * ```
 */
export function tokenTrigger<Event extends TokenEvent = TokenEvent>(
  options: LoginOptions<Event>,
): (event: Event) => Promise<Event> {
  const decide = createLoginDecision('tokenTrigger', options);
  const { claim = 'roles' } = options;
  return async (event) => {
    if (event.triggerSource === 'TokenGeneration_ClientCredentials') return event;
    const decision = await decide(event.callerContext.clientId, event);
    // Cognito denies a login whose trigger fails, and shows the message.
    if ('denied' in decision) throw new Error(decision.denied);
    return withRoles(event, claim, decision.roles);
  };
}

/** The claim is always set, also without roles. Without a copy of the groups Cognito would leave them out. */
function withRoles<Event extends TokenEvent>(event: Event, claim: string, roles: readonly string[]): Event {
  const { groupConfiguration = {} } = event.request;
  const groups = Object.keys(groupConfiguration).length > 0 && { groupOverrideDetails: groupConfiguration };
  if (!['2', '3'].includes(event.version)) {
    const claimsOverrideDetails = { claimsToAddOrOverride: { [claim]: roles.join(' ') }, ...groups };
    return { ...event, response: { ...event.response, claimsOverrideDetails } };
  }
  const added = { claimsToAddOrOverride: { [claim]: roles } };
  const claimsAndScopeOverrideDetails = { idTokenGeneration: added, accessTokenGeneration: added, ...groups };
  return { ...event, response: { ...event.response, claimsAndScopeOverrideDetails } };
}
