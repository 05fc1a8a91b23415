// An application with one guarded route, which is integrated rightly or with one mistake:
//   PORT=8080 AUTH_URL=... AUTH_KEY_ID=... AUTH_SECRET=... node integrations.mjs 'caches for an hour'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { AuthServiceClient, signRequest } from '@auth-service/client';
import { checkRequest } from '@auth-service/client/guard';
import { createAccessReplica } from '@auth-service/client/replica';

const { AUTH_URL, AUTH_KEY_ID, AUTH_SECRET, PORT } = process.env;
const key = { keyId: AUTH_KEY_ID, secret: AUTH_SECRET };

/** The parts of an integration that is written by hand. */
const byHand = {
  idOf: (userId) => userId,
  keptSeconds: 0,
  isEnabled: ({ effectiveStatus }) => effectiveStatus === 'enabled',
  hasRole: (roles) => roles.some(({ name, expiresAt }) => name === 'editor' && !hasEnded(expiresAt)),
  admitsUnknown: false,
  inOutage: 503,
  redirect: 'manual',
  seconds: 2,
  isAnswer: (answer, nonce) => answer.headers.get('request-nonce') === nonce,
  keepsSession: false,
};

const hasEnded = (expiresAt) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

const client = () =>
  new AuthServiceClient({ baseUrl: AUTH_URL, ...key, timeoutSeconds: 2, circuit: { openSeconds: 0.5 } });
const guarded = (source, more) => async (userId) => {
  const checked = await checkRequest({}, { source, userId: () => userId, ...more });
  return checked.allowed ? 200 : checked.status;
};

const right = {
  'by hand': () => decideByHand({}),
  'by hand, with a cache': () => decideByHand({ keptSeconds: 1 }),
  'with the SDK': () => guarded(client(), { role: 'editor' }),
  'with the SDK, open in an outage': () => guarded(client(), { whenUnavailable: 'allow' }),
  'with a replica': async () => {
    const options = { client: client(), unknown: 'ask', pollSeconds: 0.4, maxStalenessSeconds: 1.2 };
    return guarded(await createAccessReplica(options), { role: 'editor' });
  },
};

const mistakes = {
  'takes every answer for a permission': { isEnabled: () => true },
  'obeys the setting, not the effective status': { isEnabled: ({ status }) => status === 'enabled' },
  'caches for an hour': { keptSeconds: 3600 },
  'asks once a session': { keepsSession: true },
  'opens in an outage': { inOutage: 200 },
  'keeps a role beyond its end': { keptSeconds: 1.9, hasRole: (roles) => roles.some(({ name }) => name === 'editor') },
  'takes a longer role for the required one': { hasRole: (roles) => roles.some(({ name }) => name.includes('editor')) },
  'asks about another id': { idOf: (userId) => userId.toLowerCase() },
  'admits users whom the service does not know': { admitsUnknown: true },
  'follows redirects': { redirect: 'follow' },
  'believes an earlier answer': { isAnswer: () => true },
  'waits without a limit': { seconds: 3600 },
};

function decideByHand(changed) {
  const parts = { ...byHand, ...changed };
  const kept = new Map();

  async function read(userId) {
    const { access, until = 0 } = kept.get(userId) ?? {};
    if (Date.now() < until) return access;
    const fresh = await ask(parts, userId);
    kept.set(userId, { access: fresh, until: Date.now() + parts.keptSeconds * 1000 });
    return fresh;
  }

  async function decide(userId, session) {
    if (parts.keepsSession && session === userId) return 200;
    try {
      const access = await read(parts.idOf(userId));
      if (access === undefined) return parts.admitsUnknown ? 200 : 403;
      return parts.isEnabled(access) && parts.hasRole(access.roles) ? 200 : 403;
    } catch {
      return parts.inOutage;
    }
  }
  return decide;
}

/** The access of a user, or undefined if the service does not know the user; rejects if the service does not say. */
async function ask({ redirect, seconds, isAnswer }, userId) {
  const nonce = crypto.randomUUID();
  const url = `${AUTH_URL}/api/service/users/${encodeURIComponent(userId)}/access`;
  const signed = await signRequest(new Request(url, { redirect }), key, { nonce });
  const answer = await fetch(signed, { signal: AbortSignal.timeout(seconds * 1000) });
  const body = await answer.json();
  if (!isAnswer(answer, nonce)) throw new Error('This is not the answer of the service');
  if (answer.status === 404 && body.code === 'user_not_found') return undefined;
  if (answer.status !== 200) throw new Error(`The service answers ${answer.status}`);
  return body;
}

const [, , name = 'by hand'] = process.argv;
const decide = await (right[name] ?? (() => decideByHand(mistakes[name])))();

const server = createServer(async ({ headers }, response) => {
  // The login of a test: never believe such a header in production.
  const userId = headers['x-user'];
  const [, session] = /session=([^;]*)/.exec(headers.cookie ?? '') ?? [];
  const status = userId === undefined ? 401 : await decide(userId, session && decodeURIComponent(session));
  if (status === 200) response.setHeader('set-cookie', `session=${encodeURIComponent(userId)}; Path=/`);
  response.writeHead(status).end();
});
server.listen(Number(PORT), '127.0.0.1');
await once(server, 'listening');
