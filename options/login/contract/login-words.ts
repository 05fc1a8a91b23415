import type { AccountState } from './login-values.ts';

/** The states of an account, as people read them. */
export const accountStateLabels: Readonly<Record<AccountState, string>> = {
  none: 'No account',
  pending: 'Being set up',
  invited: 'Invited, no password chosen yet',
  confirmed: 'Confirmed',
  disabled: 'Disabled, because the user is inactive',
};

/** The URL from which a client reads everything else about an issuer (OpenID Connect Discovery 1.0, section 4). */
export function discoveryUrlOf(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`;
}

/** The second factors that people can set up, in words; another one by its name. */
export function describeMfa(mfa: readonly string[]): string {
  return mfa.length === 0 ? 'none' : mfa.map((factor) => factorLabels[factor] ?? factor).join(', ');
}

/** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminGetUser.html */
const factorLabels: Readonly<Record<string, string>> = {
  SOFTWARE_TOKEN_MFA: 'authenticator app',
  SMS_MFA: 'text message',
  EMAIL_OTP: 'e-mail',
  WEB_AUTHN_MFA: 'passkey',
};
