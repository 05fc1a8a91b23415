import { type JWTPayload, jwtVerify } from 'jose';
import type { Provider } from 'oidc-provider';
import type { TokenKey } from '#local/operator-tokens.ts';
import type { StandInPool } from './stand-in-pool.ts';

const path = '/oauth2/userInfo';

/** A member of the discovery document, without which some clients refuse a provider. */
export function userInfoMetadata(issuer: string) {
  return { userinfo_endpoint: `${issuer}${path}` };
}

/**
 * Answers the attributes of the user of an access token, as Cognito does; what the trigger adds is only in tokens. The provider's own
 * endpoint accepts no JWT.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html
 */
export function serveUserInfo(provider: Provider, pool: StandInPool, { publicKey }: TokenKey): void {
  provider.use(async (ctx, next) => {
    if (ctx.path !== path) return await next();
    const [, token = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
    const verified = await jwtVerify(token, publicKey, { issuer: provider.issuer }).catch(() => undefined);
    const user = pool.findBySub(subjectOf(verified?.payload));
    ctx.set('cache-control', 'no-store');
    if (user === undefined) {
      ctx.status = 401;
      ctx.set('www-authenticate', 'Bearer error="invalid_token"');
      ctx.body = { error: 'invalid_token', error_description: 'Access token is expired, disabled, or deleted' };
      return;
    }
    ctx.body = { sub: user.sub, ...user.attributes, username: user.Username };
  });
}

/** Of an access token; an ID token has the same signature. */
function subjectOf({ sub = '', token_use }: JWTPayload = {}): string {
  return token_use === 'access' ? sub : '';
}
