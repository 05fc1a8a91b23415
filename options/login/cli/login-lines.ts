import { formatTime } from '#cli/terminal/format-time.ts';
import { recordLines } from '#cli/terminal/print-table.ts';
import type { AccountView, LoginView } from '../contract/login.ts';
import { accountStateLabels, describeMfa, discoveryUrlOf } from '../contract/login-words.ts';

/** A login as labelled lines. */
export function loginLines({ appId, issuer, clientId, error, ...login }: LoginView): string[] {
  if (!login.enabled) return [`The application ${appId} has no login.`];
  return recordLines([
    ['application', appId],
    ['client', login.clientType ?? '-'],
    ['client id', clientId ?? '-'],
    ['issuer', issuer ?? '-'],
    ['discovery', issuer === null ? '-' : discoveryUrlOf(issuer)],
    ...login.redirectUris.map((uri) => ['redirect', uri] as const),
    ...login.logoutUris.map((uri) => ['logout', uri] as const),
    ...errorRows(error),
  ]);
}

/** An account as labelled lines. */
export function accountLines({ userId, state, invitedAt, signedOutAt, mfa, provider, error }: AccountView): string[] {
  return recordLines([
    ['user', userId],
    ['account', accountStateLabels[state]],
    ['invited', formatTime(invitedAt)],
    ['second factors', describeMfa(mfa)],
    ...(provider === null ? [] : [['logs in at', provider] as const]),
    ['signed out', formatTime(signedOutAt)],
    ...errorRows(error),
  ]);
}

function errorRows(error: string | null): readonly (readonly [label: string, value: string])[] {
  return error === null ? [] : [['error', error]];
}
