import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import express, { type Request } from 'express';
import type { Browser, Page } from 'playwright-core';
import { guard } from '#client/express.ts';
import { AuthServiceClient } from '#client/index.ts';
import { type AccessReplica, createAccessReplica } from '#client/replica.ts';
import { type LoginServer, startLoginServer } from '#test/e2e/support/login-server.ts';
import { createAuthority } from '#test/support/certificates.ts';
import { serveDns } from '#test/support/dns-server.ts';
import { eventually } from '#test/support/eventually.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { needing } from '#test/support/needing.ts';
import type { RunningProxy } from '#test/support/run-proxy.ts';
import { startBundles, type TestService } from '#test/support/start-service.ts';
import { serveTlsHost } from '#test/support/tls-host.ts';
import { launchBrowser } from '../../../bench/dashboard-browser.ts';
import { startDocumentedProxy } from './documented-proxy.ts';

/* A directory fills the service, and deactivates one of its users: everything that lets users in refuses this one. */

const [leaver, colleague] = ['carol@example.com', 'dan@example.com'];
const withinMs = 5000;

let service: TestService;
let directory: (method: string, path: string, body: object) => Promise<{ id: string }>;
let login: LoginServer;
let browser: Browser;
let guarded: Server;
let backend: Server;
let gateway: RunningProxy;
let replica: AccessReplica;

const manage = manageClient(() => service);
const operate = async (path: string, body: object) => {
  const answer = await manage('iam', 'POST', path, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as { readonly token: string };
};

async function connect(connectionId: string, settings: object): Promise<string> {
  await operate('/connections', { connectionId, name: connectionId, applications: ['billing', 'wiki'], ...settings });
  return (await operate(`/connections/${connectionId}/keys`, {})).token;
}

/** A client of a directory: SCIM 2.0 with a bearer token. */
async function connectDirectory(): Promise<typeof directory> {
  const token = await connect('directory', {
    kind: 'scim',
    userIdAttribute: 'userName',
    groupRoles: [{ group: 'Editors', appId: 'wiki', role: 'editor' }],
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  return async (method, path, body) => {
    const answer = await fetch(`${service.url}/scim/v2${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? { id: '' } : ((await answer.json()) as { id: string });
  };
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** An application whose guard asks the service for each request. */
function guardedApplication(): Server {
  const source = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey });
  const app = express();
  app.get('/', guard({ source, userId: (request: Request) => request.get('x-test-user') }), (_, response) => {
    response.end('the application');
  });
  return createServer(app);
}

/** The file of the page for users whom nginx itself authenticates, with the service behind TLS. */
async function startGateway(): Promise<RunningProxy> {
  const token = await connect('gateway', { kind: 'evaluate', trustsUserHeader: true });
  const [name, authority] = ['api.auth-service.test', createAuthority()];
  const dns = await serveDns(name);
  const api = await serveTlsHost({ name, certificate: authority.issue(name), upstream: service.url });
  const proxy = await startDocumentedProxy(['nginx', 'by the proxy'], {
    api: api.authority,
    token,
    backendPort: portOf(backend),
    dns: dns.address,
    authorities: authority.file,
    users: [leaver, colleague],
  });
  return {
    url: proxy.url,
    stop: async () => {
      await proxy.stop();
      await api.close();
      dns.close();
      authority.remove();
    },
  };
}

beforeAll(async () => {
  service = await startBundles();
  directory = await connectDirectory();
  const keys = { billing: service.billingKey, wiki: await service.issueKey('wiki', ['access:read']) };
  login = await startLoginServer(service.url, keys);
  browser = await launchBrowser();
  backend = await listen(createServer((_, response) => response.end('the application')));
  guarded = await listen(guardedApplication());
  gateway = await startGateway();
  const client = new AuthServiceClient({ baseUrl: service.url, ...service.wikiKey });
  replica = await createAccessReplica({ client, pollSeconds: 1, unknown: 'ask' });
});
afterAll(async () => {
  await replica?.close();
  await gateway?.stop();
  guarded?.close();
  backend?.close();
  await browser?.close();
  await login?.stop();
  await service?.stop();
});

/** How each of the places answers to a user: whether it lets the user in. */
function placesOf(userId: string, session: Page, refreshToken: { value: string }) {
  return {
    'a login in a new browser': async () => {
      const page = await newPage();
      const isIn = (await login.login(page, 'billing', userId)).has('code');
      await page.context().close();
      return isIn;
    },
    'a login with a session': async () => (await login.login(session, 'wiki', userId)).has('code'),
    'a refresh of tokens': async () => {
      const { refresh_token, error } = await login.refresh('wiki', refreshToken.value);
      refreshToken.value = refresh_token ?? refreshToken.value;
      return error === undefined;
    },
    'a guarded application': async () => {
      const { status } = await fetch(`http://127.0.0.1:${portOf(guarded)}/`, { headers: { 'x-test-user': userId } });
      expect([200, 403]).toContain(status);
      return status === 200;
    },
    'a gateway': async () => {
      const { status } = await fetch(gateway.url, { headers: { authorization: `Basic ${btoa(`${userId}:secret`)}` } });
      expect([200, 403]).toContain(status);
      return status === 200;
    },
    'a replica': async () => replica.check(userId).effectiveStatus === 'enabled',
  };
}

/** Logs a user in at the applications, in two browsers: one keeps the session, the other's tokens are refreshed. */
async function begin(userId: string) {
  const [session, other] = [await newPage(), await newPage()];
  await login.login(session, 'wiki', userId);
  const code = (await login.login(other, 'wiki', userId)).get('code') ?? '';
  const { refresh_token = '' } = await login.exchange('wiki', code);
  return placesOf(userId, session, { value: refresh_token });
}

async function newPage(): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** The places that let a user in; `note` gets each of them, with the time at which it was asked. */
async function letIn(
  places: Readonly<Record<string, () => Promise<boolean>>>,
  note: (place: string, askedAt: number) => void = () => undefined,
): Promise<string[]> {
  const open: string[] = [];
  for (const [place, isIn] of Object.entries(places)) {
    const askedAt = performance.now();
    if (!(await isIn())) continue;
    open.push(place);
    note(place, askedAt);
  }
  return open;
}

needing('nginx', 'OpenSSL').test(
  'a user whom the directory deactivates is refused within five seconds, and nobody else',
  async () => {
    const user = (userName: string) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      active: true,
      externalId: `object of ${userName}`,
      displayName: userName,
      emails: [{ value: userName, primary: true }],
    });
    const { id } = await directory('POST', '/Users', user(leaver));
    const other = await directory('POST', '/Users', user(colleague));
    await directory('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Editors',
      members: [{ value: id }, { value: other.id }],
    });
    const places = await begin(leaver);
    const elsewhere = await begin(colleague);
    await eventually(
      async () => [leaver, colleague].map((userId) => replica.check(userId)),
      (checks) => checks.every(({ roles }) => roles.some(({ name }) => name === 'editor')),
    );
    expect(await letIn(places)).toEqual(Object.keys(places));

    // As Entra ID sends it.
    const patch = (value: string) => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'active', value }],
    });
    const deactivated = performance.now();
    await directory('PATCH', `/Users/${encodeURIComponent(id)}`, patch('False'));
    // Browsers on a slow machine take seconds to ask: what counts is when a place was asked, not when the test knew the answer.
    const late: string[] = [];
    const noteLate = (place: string, askedAt: number) => {
      if (askedAt - deactivated > withinMs) late.push(place);
    };
    const open = await eventually(
      () => letIn(places, noteLate),
      (left) => left.length === 0 || late.length > 0,
    );
    expect({ late, open }).toEqual({ late: [], open: [] });
    expect(await letIn(elsewhere)).toEqual(Object.keys(elsewhere));

    await directory('PATCH', `/Users/${encodeURIComponent(id)}`, patch('True'));
    const again = await begin(leaver);
    await eventually(
      () => letIn(again),
      (back) => back.length === Object.keys(again).length,
    );
    expect(await letIn(again)).toEqual(Object.keys(again));
  },
);
