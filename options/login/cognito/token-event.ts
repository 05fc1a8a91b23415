import { accountNameOf, userCreatedAttribute, userIdAttribute } from './pool-accounts.ts';

/**
 * The event of the pre token generation trigger.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
export interface TokenEvent {
  /** `1` changes only the ID token, `2` and `3` also the access token. */
  readonly version: string;
  readonly triggerSource: string;
  /** The name of the account, also of whoever has logged in at another provider. */
  readonly userName?: string;
  readonly request: { readonly userAttributes?: Readonly<Record<string, string>> };
  readonly callerContext: { readonly clientId?: string };
  readonly response: object;
}

/** Who asks for tokens of which client; undefined for whom the service has not created the account. */
export function questionOf({ callerContext, userName, request }: TokenEvent) {
  const { clientId } = callerContext;
  const { [userIdAttribute]: userId, [userCreatedAttribute]: userCreatedAt } = request.userAttributes ?? {};
  if (clientId === undefined || userId === undefined || userCreatedAt === undefined) return undefined;
  return isNameOf(userId, userName) ? { clientId, userId, userCreatedAt } : undefined;
}

/** The name of an account is for good, but ignores case; so it is compared with the attribute, which an administrator could change. */
function isNameOf(userId: string, userName = ''): boolean {
  return userName.toLowerCase() === accountNameOf(userId).toLowerCase();
}

/** The claims that both tokens get. */
export interface LoginClaims {
  readonly userId: string;
  readonly roles: readonly string[];
}

/** The event with the claims; the first version knows only texts. */
export function withClaims<Event extends TokenEvent>(event: Event, { userId, roles }: LoginClaims): Event {
  if (event.version === '1') {
    const claims = { user_id: userId, roles: roles.join(' ') };
    return { ...event, response: { claimsOverrideDetails: { claimsToAddOrOverride: claims } } };
  }
  const generation = { claimsToAddOrOverride: { user_id: userId, roles: [...roles] } };
  const details = { idTokenGeneration: generation, accessTokenGeneration: generation };
  return { ...event, response: { claimsAndScopeOverrideDetails: details } };
}
