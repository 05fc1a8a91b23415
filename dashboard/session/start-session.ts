import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Bearer } from '../api/create-api.ts';
import { dropDrafts } from './drafts.ts';
import { connectTabs } from './other-tabs.ts';
import type { DashboardConfig } from './read-config.ts';

/** The logged-in operator, or why there is none. */
export type SessionState =
  | { readonly kind: 'in'; readonly name: string /** The subject of the token. */; readonly id: string }
  | { readonly kind: 'out'; readonly why: 'new' | 'expired' | 'failed' };

/** The login of one operator, which all tabs share. */
export interface Session extends Bearer {
  state(): SessionState;
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Redirects to the provider, and back to the current page. */
  logIn(): Promise<void>;
  logOut(): Promise<void>;
}

/**
 * Starts from the tokens of this tab, from the provider's response in the URL, or from another tab. Tokens are kept in session
 * storage until the tab is closed; one tab renews them for all, with the refresh token, shortly before they expire.
 */
export async function startSession(config: DashboardConfig): Promise<Session> {
  const manager = createManager(config);
  const listeners = new Set<() => void>();
  let user: User | undefined;
  let state: SessionState = { kind: 'out', why: 'new' };
  const enter = (next: User | undefined, why: 'new' | 'expired' | 'failed') => {
    user = next;
    state = next === undefined ? { kind: 'out', why } : { kind: 'in', name: nameOf(next), id: next.profile.sub };
    for (const listener of listeners) listener();
  };
  const leave = (why: 'new' | 'expired') => {
    enter(undefined, why);
    void manager.removeUser();
  };
  const expire = () => leave('expired');
  const adopt = async (other: User) => {
    await manager.storeUser(other);
    // Sets the expiry timers.
    await manager.getUser();
    enter(other, 'new');
  };
  const tabs = connectTabs({
    login: `${config.clientId} at ${config.issuer}`,
    current: () => (user?.expired === false ? user : undefined),
    onTold: (other) => {
      if (other === undefined) user && leave('new');
      else if (isNewer(other, user)) void adopt(other);
    },
  });
  const renewAlone = async () => {
    const known = await tabs.ask();
    if (known !== undefined && isNewer(known, user)) {
      await adopt(known);
      return true;
    }
    const renewed = await manager.signinSilent().catch(() => null);
    if (renewed !== null) tabs.tell(renewed);
    return renewed !== null;
  };
  // A refresh token can be used only once, by one request of one tab.
  const renew = sharedWhileRunning(() => navigator.locks.request('renew the session', renewAlone));
  manager.events.addUserLoaded((loaded) => enter(loaded, 'new'));
  manager.events.addAccessTokenExpiring(() => void renew());
  manager.events.addAccessTokenExpired(async () => {
    if (state.kind === 'in' && !(await renew())) expire();
  });
  await receive(manager)
    .then(async (received) => {
      const other = received ?? (await tabs.ask());
      if (other !== undefined) await adopt(other);
      if (received !== undefined) tabs.tell(received);
    })
    .catch(() => enter(undefined, 'failed'));
  if (user?.expired && !(await renew())) expire();
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    token: () => user?.access_token,
    renew,
    expire,
    logIn: async () => {
      const endpoints = await manager.metadataService.getMetadata();
      sessionStorage.setItem(endpointsKey, JSON.stringify(endpoints));
      await manager.signinRedirect({ state: location.pathname + location.search });
    },
    logOut: async () => {
      dropDrafts();
      // The access token is short-lived and self-contained; providers do not revoke it.
      await manager.revokeTokens(['refresh_token']).catch(() => undefined);
      // Cognito requires `logout_uri`; other providers ignore it.
      const extraQueryParams = { client_id: config.clientId, logout_uri: homeUrl() };
      tabs.tell(undefined);
      await manager.signoutRedirect({ extraQueryParams }).catch(async () => {
        await manager.removeUser();
        enter(undefined, 'new');
      });
    },
  };
}

/** Whether another tab's tokens of the same operator are valid for longer. */
function isNewer(other: User, user: User | undefined): boolean {
  if (user === undefined) return other.expired === false;
  return other.profile.sub === user.profile.sub && (other.expires_at ?? 0) > (user.expires_at ?? 0);
}

/** The same address for login and logout: providers compare it character by character. */
function homeUrl(): string {
  return `${location.origin}/`;
}

/** The provider's endpoints, kept until it has redirected back: after the login they need not be fetched again. */
const endpointsKey = 'endpoints of the login';

function createManager({ issuer, clientId, scope }: DashboardConfig): UserManager {
  const endpoints = sessionStorage.getItem(endpointsKey);
  sessionStorage.removeItem(endpointsKey);
  return new UserManager({
    authority: issuer,
    ...(endpoints !== null && { metadata: JSON.parse(endpoints) }),
    client_id: clientId,
    scope,
    response_type: 'code',
    redirect_uri: homeUrl(),
    post_logout_redirect_uri: homeUrl(),
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // `renew` asks the other tabs first.
    automaticSilentRenew: false,
  });
}

/** The user of this tab; after a login the previous URL is restored. */
async function receive(manager: UserManager): Promise<User | undefined> {
  const answer = new URLSearchParams(location.search);
  const isAnswer = answer.has('state') && (answer.has('code') || answer.has('error'));
  if (!isAnswer) return (await manager.getUser()) ?? undefined;
  try {
    const user = await manager.signinCallback();
    history.replaceState(null, '', typeof user?.state === 'string' ? user.state : '/');
    return user;
  } catch (error) {
    history.replaceState(null, '', '/');
    throw error;
  }
}

function nameOf({ profile }: User): string {
  return profile.name ?? profile.email ?? profile.sub;
}

/** Shares one renewal among concurrent requests. */
function sharedWhileRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
