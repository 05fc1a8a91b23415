import type { GivenSettings } from './given-settings.ts';
import { readList, readText } from './setting-value.ts';
import type { Stage } from './stages.ts';

/** The tokens that operators log in with. */
export interface OperatorTokens {
  /** The OpenID provider, as in the `iss` of its tokens and in its discovery document. */
  readonly issuer: string;
  /** A value that a token's `aud` must contain or, without `aud`, its `client_id` must equal. */
  readonly audience: string;
}

/** The OpenID provider of the operators, from `oidcIssuer` and `oidcAudience`: both or neither. */
export function readOperatorTokens(given: GivenSettings): OperatorTokens | undefined {
  const [issuer, audience] = [readText(given, 'oidcIssuer'), readText(given, 'oidcAudience')];
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new Error('The settings oidcIssuer and oidcAudience belong together: set both or neither');
  }
  if (!isIssuer(issuer)) {
    throw new Error(`The setting oidcIssuer must be an https URL without a query or fragment, not ${issuer}`);
  }
  return { issuer, audience };
}

/** As OpenID Connect Discovery 1.0, section 3, defines it. */
function isIssuer(text: string): boolean {
  return URL.canParse(text) && text.startsWith('https://') && !/[?#\s]/.test(text);
}

/** A local address is only for dashboard developers: any program on an operator's machine can listen there. */
export function readDashboardUrls(given: GivenSettings, { name, localLogin, keepsData }: Stage): string[] {
  const named = readList(given, 'dashboardUrls');
  const urls = named.length === 0 && localLogin ? ['http://localhost:3000/'] : named;
  const refused = urls.find((url) => !isCallbackUrl(url));
  if (refused !== undefined) {
    throw new Error(`The setting dashboardUrls must list https URLs without a fragment, not ${refused}`);
  }
  const local = keepsData ? urls.find((url) => new URL(url).hostname === 'localhost') : undefined;
  if (local === undefined) return urls;
  throw new Error(
    `The setting dashboardUrls must not list an address on the operator's own machine in ${name}: ${local}`,
  );
}

/**
 * Cognito accepts `http` only for `localhost`.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
 */
function isCallbackUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}
