import * as v from 'valibot';
import { invalid } from './cognito-error.ts';

const urls = v.optional(v.pipe(v.array(v.string()), v.maxLength(100)), []);
const texts = v.optional(v.array(v.string()));
const validity = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const unit = v.optional(v.picklist(['seconds', 'minutes', 'hours', 'days']));
const ignored = v.optional(v.unknown());

/** What a call can set on an app client, with Cognito's defaults. */
export const settingsSchema = v.strictObject({
  AccessTokenValidity: validity,
  IdTokenValidity: validity,
  RefreshTokenValidity: v.optional(validity, 30),
  TokenValidityUnits: v.optional(v.strictObject({ AccessToken: unit, IdToken: unit, RefreshToken: unit }), {}),
  RefreshTokenRotation: v.optional(
    v.strictObject({
      Feature: v.picklist(['ENABLED', 'DISABLED']),
      RetryGracePeriodSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60)), 0),
    }),
  ),
  CallbackURLs: urls,
  LogoutURLs: urls,
  DefaultRedirectURI: v.optional(v.string()),
  AllowedOAuthFlows: v.optional(v.array(v.picklist(['code', 'implicit', 'client_credentials'])), []),
  AllowedOAuthScopes: v.optional(v.array(v.string()), []),
  AllowedOAuthFlowsUserPoolClient: v.optional(v.boolean(), false),
  SupportedIdentityProviders: texts,
  ExplicitAuthFlows: v.optional(v.array(v.string())),
  EnableTokenRevocation: v.optional(v.boolean(), true),
  PreventUserExistenceErrors: v.optional(v.picklist(['LEGACY', 'ENABLED'])),
  AuthSessionValidity: v.optional(v.number(), 3),
  ReadAttributes: texts,
  WriteAttributes: texts,
  EnablePropagateAdditionalUserContextData: v.optional(v.boolean(), false),
  AnalyticsConfiguration: ignored,
});

/** The settings of an app client. */
export type ClientSettings = v.InferOutput<typeof settingsSchema>;

const seconds = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

/** How long the tokens of a client are valid, in seconds. Access and ID tokens are valid for an hour by default, as in Cognito. */
export function tokenSeconds(settings: ClientSettings) {
  const { TokenValidityUnits: units } = settings;
  return {
    access: (settings.AccessTokenValidity || 1) * seconds[units.AccessToken ?? 'hours'],
    id: (settings.IdTokenValidity || 1) * seconds[units.IdToken ?? 'hours'],
    refresh: (settings.RefreshTokenValidity || 30) * seconds[units.RefreshToken ?? 'days'],
  };
}

/** Returns the settings; throws an InvalidParameterException for a combination that Cognito refuses. */
export function validateSettings<Settings extends ClientSettings>(settings: Settings): Settings {
  for (const url of [...settings.CallbackURLs, ...settings.LogoutURLs]) requireUrl(url);
  requireFlows(settings);
  requireValidity(settings);
  const { RefreshTokenRotation, ExplicitAuthFlows = [] } = settings;
  if (RefreshTokenRotation?.Feature === 'ENABLED' && ExplicitAuthFlows.includes('ALLOW_REFRESH_TOKEN_AUTH')) {
    throw invalid('ALLOW_REFRESH_TOKEN_AUTH cannot be used with refresh token rotation.');
  }
  return settings;
}

/** Absolute, without a fragment, and HTTP only on this machine; schemes of apps are allowed. */
function requireUrl(text: string): void {
  const url = URL.parse(text);
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === null || text.includes('#') || (url.protocol === 'http:' && !isLocal)) {
    throw invalid(`${text} is not a valid callback or logout URL.`);
  }
}

function requireFlows(settings: ClientSettings): void {
  const { AllowedOAuthFlows: flows, AllowedOAuthScopes: scopes, CallbackURLs, DefaultRedirectURI } = settings;
  if (settings.AllowedOAuthFlowsUserPoolClient && (flows.length === 0 || scopes.length === 0)) {
    throw invalid('AllowedOAuthFlows and AllowedOAuthScopes are required if the client may use OAuth flows.');
  }
  if (!settings.AllowedOAuthFlowsUserPoolClient && flows.length > 0) {
    throw invalid('AllowedOAuthFlowsUserPoolClient must be true for AllowedOAuthFlows.');
  }
  if (flows.includes('code') && CallbackURLs.length === 0) throw invalid('The code flow requires CallbackURLs.');
  if (DefaultRedirectURI !== undefined && !CallbackURLs.includes(DefaultRedirectURI)) {
    throw invalid('DefaultRedirectURI must be one of CallbackURLs.');
  }
}

function requireValidity(settings: ClientSettings): void {
  const { access, id, refresh } = tokenSeconds(settings);
  const isShort = (value: number) => value >= 5 * seconds.minutes && value <= seconds.days;
  if (!isShort(access) || !isShort(id)) throw invalid('Access and ID tokens are valid for 5 minutes to 1 day.');
  if (refresh < seconds.hours || refresh > 3650 * seconds.days || refresh < Math.max(access, id)) {
    throw invalid('Refresh tokens are valid for 60 minutes to 10 years, and not shorter than the others.');
  }
}
