import { text } from 'node:stream/consumers';
import { pageHeadersFor } from '#local/login-pages.ts';
import { createTokenKey } from '#local/operator-tokens.ts';
import type { ProviderState } from '#local/provider-parts.ts';
import { type InteractionRequest, type ProviderServer, sendPage, serveProvider } from '#local/serve-provider.ts';
import { lookOf } from './page-look.ts';
import { noAccessPage, peoplePage } from './people-pages.ts';
import type { PreTokenTrigger } from './pre-token-trigger.ts';
import type { StandInPool } from './stand-in-pool.ts';

/** What a login of people is made of. */
export interface PeopleLoginOptions {
  /** 0 for any free port; throws a LocalError that names LOGIN_PORT if it is in use. */
  readonly port: number;
  readonly pool: StandInPool;
  readonly trigger: PreTokenTrigger;
  readonly state: ProviderState;
  readonly log?: ((line: string) => void) | undefined;
}

/** Serves a login for the people of a pool on 127.0.0.1, in place of Cognito's managed login. */
export async function servePeopleLogin(options: PeopleLoginOptions): Promise<ProviderServer> {
  const { port, pool, log } = options;
  return await serveProvider({
    port,
    variable: 'LOGIN_PORT',
    name: 'The login',
    startingPoint: 'the application',
    load: async (issuer) => {
      const { createPeopleProvider } = await import('./people-provider.ts');
      return createPeopleProvider({ ...options, issuer, key: await createTokenKey() });
    },
    rewrite: translateLogout,
    interact: (context) => interact(context, pool),
    log,
  });
}

/**
 * Cognito's own request for a logout, which names the address `logout_uri`, and ignores that of OpenID Connect.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
 */
function translateLogout(target: string): string {
  if (!target.startsWith('/logout?')) return target;
  const parameters = new URLSearchParams(target.slice('/logout?'.length));
  const address = parameters.get('logout_uri');
  if (address === null) return target;
  parameters.delete('logout_uri');
  parameters.set('post_logout_redirect_uri', address);
  return `/logout?${parameters}`;
}

async function interact({ provider, interaction, request, response }: InteractionRequest, pool: StandInPool) {
  const { client_id, redirect_uri } = interaction.params;
  const client = pool.clients.get(String(client_id));
  const application = client?.settings.ClientName ?? '';
  const look = lookOf(client);
  const headers = pageHeadersFor(sourceOf(String(redirect_uri)), look);
  if (request.method === 'POST') {
    const chosen = pool.users.get(new URLSearchParams(await text(request)).get('person') ?? '');
    if (chosen?.Enabled) {
      // Whoever logs in for the first time sets a password, which confirms the account.
      chosen.UserStatus = 'CONFIRMED';
      pool.save();
      return await provider.interactionFinished(request, response, { login: { accountId: chosen.sub } });
    }
    if (chosen !== undefined)
      return sendPage(response, 403, noAccessPage({ application, look, person: chosen }), headers);
  }
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const refused = interaction.prompt.reasons.includes('no_access')
    ? pool.findBySub(interaction.session?.accountId ?? '')
    : undefined;
  if (refused !== undefined && request.method === 'GET' && !searchParams.has('choose') && !searchParams.has('search')) {
    return sendPage(response, 403, noAccessPage({ application, look, person: refused }), headers);
  }
  const people = [...pool.users.values()].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  sendPage(response, 200, peoplePage({ application, look, people, search: searchParams.get('search') ?? '' }), headers);
}

function nameOf({
  attributes,
  Username,
}: {
  readonly attributes: { readonly name?: string };
  readonly Username: string;
}): string {
  return attributes.name ?? Username;
}

/** The source of an address for a content security policy: its origin, or the scheme of an app. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
