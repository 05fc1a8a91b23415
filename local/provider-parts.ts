import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  type Grant,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { logoutPage, messagePage, pageHeaders } from './login-pages.ts';

/** A provider's sessions, grants and tokens, in memory. */
export interface ProviderState {
  readonly adapter: AdapterFactory;
  /** Ends the sessions, grants and refresh tokens of an account. */
  endAccount(accountId: string): void;
}

/** Keeps the provider's state in memory (oidc-provider, `Adapter`); the provider itself checks expiry. */
export function createProviderState(): ProviderState {
  const stored = new Map<string, AdapterPayload>();
  const findBy = (model: string, matches: (payload: AdapterPayload) => boolean) =>
    [...stored].find(([key, payload]) => key.startsWith(`${model} `) && matches(payload))?.[1];
  const remove = (matches: (payload: AdapterPayload) => boolean) => {
    for (const [key, payload] of stored) if (matches(payload)) stored.delete(key);
  };
  const adapter = (model: string): Adapter => ({
    upsert: async (id, payload) => void stored.set(`${model} ${id}`, payload),
    find: async (id) => stored.get(`${model} ${id}`),
    findByUid: async (uid) => findBy(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy(model, (payload) => payload.userCode === userCode),
    consume: async (id) =>
      void Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void stored.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) => remove((payload) => payload.grantId === grantId),
  });
  return { adapter, endAccount: (accountId) => remove((payload) => payload.accountId === accountId) };
}

/** Asks who logs in, and nothing else: there is no page for consent. */
export function loginOnly() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

/** Returns a `loadExistingGrant` that grants all these scopes, also of the resource, without a page for consent. */
export function grantAll(scopes: readonly string[], resource: string) {
  return async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, provider } = oidc;
    if (client === undefined || session?.accountId === undefined) return undefined;
    const grantId = session.grantIdFor(client.clientId);
    const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    if (existing !== undefined) return existing;
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope(scopes.join(' '));
    grant.addResourceScope(resource, scopes.join(' '));
    await grant.save();
    return grant;
  };
}

/** Answers with a page. */
function renderPage(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(pageHeaders);
  ctx.body = html;
}

/** What both providers have: their pages, revocation and logout, and nothing that a login does not need. */
export const commonParts = {
  renderError: (ctx, { error, error_description }) => renderPage(ctx, messagePage(error, error_description ?? '')),
  issueRefreshToken: () => true,
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: { enabled: true, allowedPolicy: () => true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => renderPage(ctx, logoutPage(form)),
      postLogoutSuccessSource: (ctx) => renderPage(ctx, messagePage('Logged out', 'You are logged out.')),
    },
  },
} as const satisfies Configuration;
