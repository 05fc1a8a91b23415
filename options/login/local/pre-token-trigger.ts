import * as v from 'valibot';
import { localAccess } from '#local/local-credentials.ts';
import type { PoolUser } from './stand-in-pool.ts';

/** The outcome of an invocation of the trigger function. */
export type TriggerOutcome = { readonly kind: 'result'; readonly json: string } | { readonly kind: string };

/** The login or refresh before whose tokens the function is invoked. */
export interface TokenRequest {
  readonly source: 'TokenGeneration_HostedAuth' | 'TokenGeneration_RefreshTokens';
  readonly user: PoolUser;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** The claims that the function adds to each token or takes away. */
export interface TokenChanges {
  readonly id: ClaimChanges;
  readonly access: ClaimChanges;
}

/** Changes of the claims of one token. */
export interface ClaimChanges {
  readonly added: Readonly<Record<string, unknown>>;
  readonly suppressed: readonly string[];
}

/** Decides a login or refresh: undefined refuses it. */
export type PreTokenTrigger = (request: TokenRequest) => Promise<TokenChanges | undefined>;

/** The pool and its function. */
export interface PreTokenTriggerOptions {
  readonly poolId: string;
  invoke(event: object): Promise<TriggerOutcome>;
  /** Default: 5 s, Cognito's limit. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Invokes the function of a pool before tokens, with the event of Cognito's pre token generation trigger V2_0. An error, a timeout
 * and an answer of another form refuse the tokens. Cognito repeats an invocation that times out, at most twice; this does not.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
export function createPreTokenTrigger({ poolId, invoke, timeoutMs = 5000 }: PreTokenTriggerOptions): PreTokenTrigger {
  return async (request) => {
    const outcome = await within(timeoutMs, invoke(createEvent(poolId, request)));
    if (outcome === undefined || !('json' in outcome)) return undefined;
    const answer = v.safeParse(answerSchema, JSON.parse(outcome.json));
    if (!answer.success) return undefined;
    const { idTokenGeneration, accessTokenGeneration } = answer.output.response.claimsAndScopeOverrideDetails ?? {};
    return {
      id: changesOf(idTokenGeneration, reservedInIdTokens),
      access: changesOf(accessTokenGeneration, reservedInAccessTokens),
    };
  };
}

function createEvent(userPoolId: string, { source, user, clientId, scopes }: TokenRequest): object {
  return {
    version: '2',
    triggerSource: source,
    region: localAccess.region,
    userPoolId,
    userName: user.Username,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
    request: {
      userAttributes: { sub: user.sub, 'cognito:user_status': user.UserStatus, ...user.attributes },
      groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
      scopes,
    },
    response: { claimsAndScopeOverrideDetails: null },
  };
}

const generationSchema = v.nullish(
  v.object({
    claimsToAddOrOverride: v.nullish(v.record(v.string(), v.unknown())),
    claimsToSuppress: v.nullish(v.array(v.string())),
  }),
);
/** The whole event, which the function returns. */
const answerSchema = v.object({
  response: v.object({
    claimsAndScopeOverrideDetails: v.nullish(
      v.object({ idTokenGeneration: generationSchema, accessTokenGeneration: generationSchema }),
    ),
  }),
});

/** The claims that a trigger cannot change ("Claims and scopes reference"); Cognito ignores an attempt. */
const reserved = [
  'acr',
  'amr',
  'at_hash',
  'auth_time',
  'azp',
  'exp',
  'iat',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'origin_jti',
  'sub',
  'token_use',
];
const reservedInIdTokens = new Set([...reserved, 'aud', 'cognito:username', 'identities']);
const reservedInAccessTokens = new Set([...reserved, 'client_id', 'event_id', 'scope', 'username', 'version']);

function changesOf(given: v.InferOutput<typeof generationSchema>, isReserved: ReadonlySet<string>): ClaimChanges {
  const added = Object.entries(given?.claimsToAddOrOverride ?? {}).filter(([name]) => !isReserved.has(name));
  return {
    added: Object.fromEntries(added),
    suppressed: (given?.claimsToSuppress ?? []).filter((name) => !isReserved.has(name)),
  };
}

/** Returns undefined if the time is over, or the promise is rejected. */
async function within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return await Promise.race([result.catch(() => undefined), promise]).finally(() => clearTimeout(timer));
}
