import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listenOn } from '../../local/listen.ts';
import { type CertificateAuthority, createAuthority } from '../support/certificates.ts';
import { needing } from '../support/needing.ts';
import { serveTlsHost, type TlsHost } from '../support/tls-host.ts';
import { runCli } from './run-cli.ts';
import { testKey } from './verify-sigv4.ts';

/** A name that only the proxy can resolve. */
const name = 'abc.lambda-url.eu-test-1.on.aws';
let authority: CertificateAuthority;
let host: TlsHost;
let proxy: Server;
let proxyUrl = '';
/** The hosts to which the proxy was asked to connect, and the paths of the requests that arrived. */
const [connected, requested]: [string[], string[]] = [[], []];
let isRefusing = false;

needing('OpenSSL').describe('a command behind a proxy', () => {
  beforeAll(async () => {
    authority = createAuthority();
    host = await serveTlsHost({
      name,
      certificate: authority.issue(name),
      upstream: (request, response) => {
        requested.push(request.url ?? '');
        const body = { id: 'me', via: 'iam', email: null, roles: [], reasonRequired: false };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      },
    });
    proxy = createServer().on('connect', (request, socket, head) => {
      connected.push(request.url ?? '');
      if (isRefusing) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const onward = connect(host.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const end of [onward, socket])
        end.on('error', () => [onward, socket].forEach((each) => void each.destroy()));
    });
    proxyUrl = `http://127.0.0.1:${await listenOn(proxy, 0)}`;
  });
  beforeEach(() => {
    connected.length = 0;
    requested.length = 0;
    isRefusing = false;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await host.close();
    authority.remove();
  });

  /** The URL has no path to the host but by the proxy. */
  const whoami = (env: NodeJS.ProcessEnv) =>
    runCli(['whoami', '--url', `https://${host.authority}`, '--region', testKey.region, '--timeout', '5'], {
      env: { NODE_EXTRA_CA_CERTS: authority.file, ...env },
    });

  test.each(['HTTPS_PROXY', 'https_proxy'])('requests go through the proxy of %s', async (variable) => {
    const { code, stdout, stderr } = await whoami({ [variable]: proxyUrl });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('me');
    expect(connected[0]).toBe(host.authority);
    expect(requested).toContain('/api/manage/operator');
  });

  test('a host of NO_PROXY is not reached through it', async () => {
    const { code } = await whoami({ HTTPS_PROXY: proxyUrl, NO_PROXY: name });
    expect([code, connected]).toEqual([3, []]);
  });

  test('a proxy that refuses is named', async () => {
    isRefusing = true;
    const { code, stderr } = await whoami({ HTTPS_PROXY: proxyUrl });
    expect([code, requested]).toEqual([3, []]);
    expect(stderr).toContain(`Could not reach https://${host.authority}: `);
    expect(stderr).toContain('407');
  });

  test('the local run is not reached through it', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('{}'));
    const port = await listenOn(server, 0);
    const env = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
    const { code } = await runCli(['whoami', '--url', `http://127.0.0.1:${port}`], { env });
    expect([code, connected, (server.address() as AddressInfo).port]).toEqual([4, [], port]);
    server.closeAllConnections();
    server.close();
  });
});
