import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type CertificateAuthority, createAuthority, type ServerCertificate } from '#test/support/certificates.ts';
import { type DnsServer, serveDns } from '#test/support/dns-server.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { headerAttacks } from '#test/support/header-attacks.ts';
import { type IdentityBackend, identityBackends, startNodeBackend } from '#test/support/identity-backends.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { needing } from '#test/support/needing.ts';
import { grantRole, setStatus } from '#test/support/new-application.ts';
import { type RawAnswer, sendRaw } from '#test/support/raw-request.ts';
import { openProjectFolder, type ProjectFolder } from '#test/support/run-document.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';
import { serveTlsHost, type TlsHost, type Upstream } from '#test/support/tls-host.ts';
import { missingTools } from '#test/support/tools.ts';
import {
  type DocumentedProxyOptions,
  type ProxyName,
  proxyPage as page,
  startDocumentedProxy,
  type WayToIdentify,
  waysToIdentify,
} from './documented-proxy.ts';

/* The files of the page, word for word, in front of two kinds of applications, with the service behind TLS. */

const [issuer, audience] = ['https://login.example.com', 'wiki'];
/** Whom the resolver of nginx knows, and the only name that Caddy finds without a DNS server of its own. */
const hosts = { nginx: 'api.auth-service.test', Caddy: 'localhost' } as const;
const users = ['ada', 'alan', 'grace', 'stranger'];

let service: TestService;
let project: ProjectFolder;
let authority: CertificateAuthority;
let dns: DnsServer;
const tokens = new Map<WayToIdentify, string>();
let sign: (sub: string) => Promise<string>;
const original = globalThis.fetch;
const hasOpenSsl = !missingTools().includes('OpenSSL');

beforeAll(async () => {
  service = await startSources();
  await grantRole('ada', 'wiki', 'editor');
  await setStatus('grace', 'wiki', 'disabled');
  project = await openProjectFolder(service);
  // The first request loads the code, which can take longer than a command waits for its answer.
  await manageClient(() => service)('iam', 'GET', '/connections');
  dns = await serveDns(hosts.nginx);
  if (hasOpenSsl) authority = createAuthority();
  const commands = page.section('## A proxy in front of an application').blocks('bash');
  expect(commands).toHaveLength(waysToIdentify.length);
  for (const [at, way] of waysToIdentify.entries()) {
    tokens.set(way, /svt_\S+/.exec(await project.run(commands[at] ?? ''))?.[0] ?? '');
  }
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256' }];
  sign = (sub) =>
    new SignJWT({ iss: issuer, aud: audience, sub, exp: Math.floor(Date.now() / 1000) + 3600 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
  // Stands in for the identity provider, which this machine has not; everything else is really sent.
  globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (!url.startsWith(issuer)) return original(input, init);
    return Response.json(url.endsWith('/keys') ? { keys } : { issuer, jwks_uri: `${issuer}/keys` });
  };
});
afterAll(async () => {
  globalThis.fetch = original;
  authority?.remove();
  dns.close();
  await project.remove();
  await service.stop();
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  dns.answerWith('127.0.0.1');
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Serves TLS for a name at which the proxy asks. */
async function serve(name: string, upstream: Upstream, options: object = {}): Promise<TlsHost> {
  const host = await serveTlsHost({ name, certificate: authority.issue(name), upstream, ...options });
  stops.push(host.close);
  return host;
}

async function startBackend(start: () => Promise<IdentityBackend>): Promise<number> {
  const backend = await start();
  stops.push(backend.close);
  return backend.port;
}

interface Setting extends Partial<DocumentedProxyOptions> {
  readonly proxy: ProxyName;
  readonly way: WayToIdentify;
}

/** Starts the proxy in front of an application in Node.js, unless another one is given; returns its port. */
async function start({ proxy: name, way, ...given }: Setting): Promise<number> {
  const api = given.api ?? (await serve(hosts[name], service.url)).authority;
  const backendPort = given.backendPort ?? (await startBackend(startNodeBackend));
  const proxy = await startDocumentedProxy([name, way], {
    token: tokens.get(way) ?? '',
    dns: dns.address,
    authorities: authority.file,
    users,
    ...given,
    api,
    backendPort,
  });
  stops.push(proxy.stop);
  return Number(new URL(proxy.url).port);
}

/** What a user sends to say who it is. */
async function credentials(way: WayToIdentify, user: string, password = 'secret'): Promise<string> {
  return `Authorization: ${way === 'by a token' ? `Bearer ${await sign(user)}` : `Basic ${btoa(`${user}:${password}`)}`}`;
}

/** Sends header lines as they are. */
function send(port: number, lines: readonly string[], trailer?: string): Promise<RawAnswer> {
  const head = [`Host: 127.0.0.1:${port}`, ...lines, 'Connection: close'];
  if (trailer === undefined) return sendRaw(port, ['GET /page HTTP/1.1', ...head, '', ''].join('\r\n'));
  const body = `1\r\nx\r\n0\r\n${trailer}\r\n`;
  return sendRaw(port, ['POST /page HTTP/1.1', ...head, 'Transfer-Encoding: chunked', '', body].join('\r\n'));
}

/** The values that an application finds which takes every character but letters and digits for the same. */
function valuesOf(received: string, name: string): string[] {
  const pairs = JSON.parse(received) as [string, string][];
  return pairs
    .filter(([spelling]) => spelling.toUpperCase().replace(/[^A-Z0-9]/g, '_') === name)
    .map(([, value]) => value);
}

/** The status, and whom the application sees, if it was reached. */
function outcomeOf({ status, headers, body }: RawAnswer): unknown[] {
  const received = headers.get('x-received') ?? (body.startsWith('[[') ? body : undefined);
  if (received === undefined) return [status];
  return [
    status,
    valuesOf(received, 'X_AUTH_USER'),
    valuesOf(received, 'X_AUTH_ROLES').filter((value) => value !== ''),
  ];
}

const everyFile = (['nginx', 'Caddy'] as const).flatMap((proxy) => waysToIdentify.map((way) => ({ proxy, way })));

describe.each(everyFile)('$proxy, as the page configures it for users who are identified $way,', ({ proxy, way }) => {
  const needed = needing(proxy, 'OpenSSL');

  needed.test('lets through who may enter, with the user and the roles, and nobody else', async () => {
    const port = await start({ proxy, way });
    const ask = async (...lines: readonly string[]) => outcomeOf(await send(port, lines));
    expect(await ask(await credentials(way, 'ada'))).toEqual([200, ['ada'], ['editor']]);
    expect(await ask(await credentials(way, 'alan'))).toEqual([200, ['alan'], []]);
    for (const refused of ['grace', 'stranger']) expect(await ask(await credentials(way, refused))).toEqual([403]);
    const wrong = ['Authorization: Bearer ada', `Authorization: Bearer ${tokens.get(way)}`, 'Authorization: ada'];
    const ofNobody = [[], ...wrong.map((line) => [line]), [await credentials('by the proxy', 'ada', 'wrong')]];
    for (const lines of ofNobody) expect([lines, await ask(...lines)]).toEqual([lines, [401]]);
    await setStatus('ada', 'wiki', 'disabled');
    expect(await ask(await credentials(way, 'ada'))).toEqual([403]);
    await setStatus('ada', 'wiki', 'enabled');
  });

  for (const { kind, tools, start: startKind } of identityBackends) {
    needing(proxy, 'OpenSSL', ...tools).test(
      `no header makes a caller another user for an application in ${kind}`,
      async () => {
        const port = await start({ proxy, way, backendPort: await startBackend(startKind) });
        const caller = await credentials(way, 'alan');
        const attacks = headerAttacks('ada', 'editor', await sign('ada'));
        expect(attacks.length).toBeGreaterThan(40);
        for (const { what, lines, trailer } of attacks) {
          // A backend that answers before it has read a body may reset the connection, which is a 502 now and then.
          const ask = async () => outcomeOf(await send(port, [caller, ...lines], trailer));
          const outcome = await eventually(ask, ([status]) => status !== 502);
          // A proxy may refuse what is malformed, but nothing else.
          expect([what, outcome]).toEqual([
            what,
            malformed.test(what) && outcome.length === 1 ? [400] : [200, ['alan'], []],
          ]);
          const alone = outcomeOf(await send(port, lines, trailer));
          expect([what, alone]).toEqual([what, [malformed.test(what) && alone[0] === 400 ? 400 : 401]]);
        }
      },
    );
  }

  needed.test('passes WebSockets on, and no other upgrade', async () => {
    const port = await start({ proxy, way });
    const upgrade = (...lines: readonly string[]) =>
      sendRaw(port, ['GET / HTTP/1.1', `Host: 127.0.0.1:${port}`, ...lines, '', ''].join('\r\n'));
    const caller = await credentials(way, 'ada');
    const accepted = await upgrade(caller, 'Connection: Upgrade', 'Upgrade: websocket');
    expect(outcomeOf(accepted)).toEqual([101, ['ada'], ['editor']]);
    const naming = await upgrade(caller, 'Connection: Upgrade, X-Auth-User', 'Upgrade: websocket', 'X-Auth_User: alan');
    expect(outcomeOf(naming)).toEqual([101, ['ada'], ['editor']]);
    expect(outcomeOf(await upgrade('Connection: Upgrade, close', 'Upgrade: websocket'))).toEqual([401]);
    const other = await send(port, [caller, 'Connection: Upgrade', 'Upgrade: h2c']);
    expect([outcomeOf(other), valuesOf(other.body, 'UPGRADE')]).toEqual([[200, ['ada'], ['editor']], []]);
    const both = await upgrade(caller, 'Connection: Upgrade, close', 'Upgrade: h2c', 'Upgrade: websocket');
    const received = both.headers.get('x-received') ?? both.body;
    expect(valuesOf(received, 'UPGRADE').filter((protocol) => protocol !== 'websocket')).toEqual([]);
  });

  needed.test('removes no header of a request that its Connection names', async () => {
    const port = await start({ proxy, way });
    const { body } = await send(port, [await credentials(way, 'ada'), 'Connection: X-Other', 'X-Other: kept']);
    expect(valuesOf(body, 'X_OTHER')).toEqual(['kept']);
  });

  // What the host of the dashboard once answered, and what any other web server would.
  needed.test('lets nobody through if an answer has no user, whatever its status', async () => {
    const answers: (readonly [status: number, headers: Record<string, string>])[] = [
      [200, {}],
      [204, {}],
      [200, { 'x-auth-user': '' }],
      [204, { 'x-auth-roles': 'editor' }],
    ];
    let answer = answers[0] ?? [500, {}];
    const { authority: api } = await serve(hosts[proxy], (_, response) => response.writeHead(...answer).end());
    const port = await start({ proxy, way, api });
    const lines = [await credentials(way, 'ada'), 'X-Auth-User: ada', 'X-Auth-Roles: editor'];
    for (answer of answers) {
      const [status, ...reached] = outcomeOf(await send(port, lines));
      expect([answer, Number(status) >= 500, reached]).toEqual([answer, true, []]);
    }
    answer = [200, { 'x-auth-user': 'ada' }];
    expect(outcomeOf(await send(port, lines)).slice(0, 2)).toEqual([200, ['ada']]);
  });

  needed.test(
    'lets nobody through if the service is not reached, or its certificate is not valid for its name',
    async () => {
      const [name, at] = [hosts[proxy], await freePort()];
      const port = await start({ proxy, way, api: `${name}:${at}` });
      const ask = async () => outcomeOf(await send(port, [await credentials(way, 'ada')]));
      const askWhile = async (certificate: ServerCertificate) => {
        const upstream: Upstream = (_, response) =>
          response.writeHead(204, { 'x-auth-user': 'ada', 'x-auth-roles': 'editor' }).end();
        const host = await serveTlsHost({ name, certificate, upstream, port: at });
        return ask().finally(host.close);
      };
      const stranger = createAuthority();
      const unknown = stranger.issue(name);
      stranger.remove();
      const refused = [await ask(), await askWhile(unknown), await askWhile(authority.issue('other.example'))];
      for (const [status, ...reached] of refused) expect([Number(status) >= 500, reached]).toEqual([true, []]);
      expect(await askWhile(authority.issue(name))).toEqual([200, ['ada'], ['editor']]);
    },
  );
});

const malformed = /^a (?:space|tab|folded|line)/;

needing('nginx', 'OpenSSL').test(
  "nginx asks where the service's name leads now, not where it led at the start",
  async () => {
    const way = 'by a token';
    const first = await serveTlsHost({
      name: hosts.nginx,
      certificate: authority.issue(hosts.nginx),
      upstream: service.url,
    });
    const port = await start({ proxy: 'nginx', way, api: first.authority });
    const caller = await credentials(way, 'ada');
    expect(outcomeOf(await send(port, [caller]))).toEqual([200, ['ada'], ['editor']]);
    await first.close();
    await serve(hosts.nginx, service.url, { address: '127.0.0.2', port: first.port });
    dns.answerWith('127.0.0.2');
    const answer = await eventually(
      () => send(port, [caller]),
      ({ status }) => status === 200,
    );
    expect(outcomeOf(answer)).toEqual([200, ['ada'], ['editor']]);
  },
);

test('the page has the expression by which secret scanners find a token', () => {
  const [, pattern = ''] = /`(svt_\[ck\]\[1-9\].*)`/.exec(page.text) ?? [];
  for (const token of tokens.values()) {
    expect(new RegExp(pattern).exec(`Authorization: Bearer ${token}`)?.[0]).toBe(token);
  }
});
