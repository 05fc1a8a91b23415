import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/* What a team replaces: its applications, its people and its login page. These are the application and the people of `npm start`. */

const { baseUrl, keyId, secret } = JSON.parse(readFileSync('.local/example.json', 'utf8'));

export const port = Number(process.env.PORT ?? 3010);
export const issuer = `http://127.0.0.1:${port}`;
export const applications = [
  {
    clientId: 'billing',
    key: { baseUrl, keyId, secret },
    client: {
      client_id: 'billing',
      token_endpoint_auth_method: 'none' as const,
      redirect_uris: ['http://127.0.0.1:3011/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  },
];

/** In memory, with keys for development: oidc-provider warns of both. */
export const adapter = undefined;
export const jwks = undefined;
export const cookieKeys = [randomUUID()];

/** Without a password: it listens on this machine alone. */
export const findPerson = async (form: URLSearchParams) => form.get('user') ?? undefined;

export const loginPage = (form?: URLSearchParams) => `<!doctype html><title>Log in</title>
<form method="post">${form ? '<p>Nobody has this name.</p>' : ''}<label>User <input name="user"></label><button>Log in</button></form>`;
