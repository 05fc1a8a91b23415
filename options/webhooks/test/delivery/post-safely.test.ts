import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createAuthority } from '#test/support/certificates.ts';
import { needing } from '#test/support/needing.ts';
import { type PostOptions, postSafely } from '../../delivery/post-safely.ts';
import { isPublicAddress } from '../../delivery/public-address.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createHttpServer(listener));
const post = { headers: { 'content-type': 'application/json' }, body: '{}' };
const isLocal = (address: string) => address === '127.0.0.1';
const resolveTo =
  (...addresses: readonly string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const send = (port: number, options: PostOptions = {}) =>
  postSafely(new URL(`http://hooks.example.com:${port}/hook?a=b`), post, {
    resolve: resolveTo('127.0.0.1'),
    isAllowed: isLocal,
    ...options,
  });

describe('addresses that are not public', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.1.2.3',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    'fec0::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    '1::1',
    '4000::1',
    'not an address',
    '',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
  ])('%s is refused', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a post', () => {
  test('goes to the address that was checked, names the host, and returns the answer', async () => {
    const seen: unknown[] = [];
    const port = await serve(({ method, url, headers }, response) => {
      seen.push([method, url, headers.host, headers['content-length']]);
      response.writeHead(202, { 'retry-after': '7' }).end('accepted');
    });
    expect(await send(port)).toEqual({ status: 202, retryAfter: '7', body: 'accepted' });
    expect(seen).toEqual([['POST', '/hook?a=b', `hooks.example.com:${port}`, '2']]);
  });

  test('resolves the name once: a name that leads elsewhere afterwards changes nothing', async () => {
    let reached = 0;
    const port = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    const answers = [['192.0.2.1'], ['127.0.0.1']];
    let resolved = 0;
    const resolve = () => resolveTo(...(answers[resolved++] ?? []))();
    const sending = send(port, { resolve, isAllowed: () => true, timeoutMilliseconds: 300 });
    await expect(sending).rejects.toThrow(/no answer|connection failed/);
    expect([resolved, reached]).toEqual([1, 0]);
  });

  test.each([
    ['to a private address alone', ['127.0.0.1']],
    ['to a public address first and a private one then', ['93.184.215.14', '10.0.0.1']],
    ['to the metadata service', ['169.254.169.254']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
  ])('is not sent when the name leads %s', async (_, addresses) => {
    let reached = 0;
    const port = await serve((__, response) => {
      reached += 1;
      response.end();
    });
    const sending = send(port, { resolve: resolveTo(...addresses), isAllowed: isPublicAddress });
    await expect(sending).rejects.toThrow('the host name leads to a private address');
    expect(reached).toBe(0);
  });

  test.each(['localhost', '127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f000001', '[::1]'])(
    'is not sent to %s, as the system resolves it',
    async (host) => {
      const sending = postSafely(new URL(`http://${host}:9/`), post, { timeoutMilliseconds: 2000 });
      await expect(sending).rejects.toThrow('the host name leads to a private address');
    },
  );

  test('does not follow a redirect', async () => {
    let followed = 0;
    const target = await serve((_, response) => {
      followed += 1;
      response.end();
    });
    const port = await serve((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    expect(await send(port)).toMatchObject({ status: 307 });
    expect(followed).toBe(0);
  });

  test('reads 4 KB of an answer and no more, and decompresses nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const { body } = await send(port);
    expect(body.length).toBeLessThanOrEqual(4096);
    const endless = await serve((_, response) => {
      const writeOn = (): unknown => response.write(Buffer.alloc(65_536, 'a')) && setImmediate(writeOn);
      response.on('drain', writeOn);
      writeOn();
    });
    expect((await send(endless)).body).toBe('a'.repeat(4096));
  });

  test('ends after its time, whether the name or the answer takes too long', async () => {
    const never = () => new Promise<never>(() => undefined);
    const silent = await serve(() => undefined);
    for (const sending of [
      send(silent, { resolve: never, timeoutMilliseconds: 150 }),
      send(silent, { timeoutMilliseconds: 150 }),
    ]) {
      await expect(sending).rejects.toThrow('no answer within the time');
    }
  });

  test('takes the status of an answer whose body is slow or cut off', async () => {
    const slow = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await send(slow, { timeoutMilliseconds: 500 })).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^a+$/),
    });
    const cut = await serve((_, response) => {
      response.writeHead(503, { 'retry-after': '7', 'content-length': '100' }).write('later', () => response.destroy());
    });
    expect(await send(cut)).toEqual({ status: 503, retryAfter: '7', body: 'later' });
  });

  test('tries the addresses of a name in turn', async () => {
    const port = await serve((_, response) => response.end());
    // Nothing listens at the first two, and every address was checked.
    const resolve = resolveTo('127.0.0.3', '::1', '127.0.0.1');
    const checked: string[] = [];
    const isAllowed = (address: string) => checked.push(address) > 0;
    expect(await send(port, { resolve, isAllowed })).toMatchObject({ status: 200 });
    expect(checked).toEqual(['127.0.0.3', '::1', '127.0.0.1']);
    await expect(send(port, { resolve: resolveTo('127.0.0.3', '127.0.0.4') })).rejects.toThrow(
      'the host name leads to a private address',
    );
    const sending = send(port, { resolve: resolveTo('127.0.0.3', '127.0.0.4'), isAllowed: () => true });
    await expect(sending).rejects.toThrow('connection failed: ECONNREFUSED');
  });

  test('says what failed without addresses', async () => {
    const port = await serve(() => undefined);
    for (const server of servers.splice(0)) server.close();
    await expect(send(port)).rejects.toThrow('connection failed: ECONNREFUSED');
    await expect(send(port, { resolve: resolveTo() })).rejects.toThrow('the host name has no address');
  });

  needing('OpenSSL').test('verifies the certificate for the name, not for the address', async () => {
    const authority = createAuthority();
    const [own, foreign] = [authority.issue('hooks.example.com'), authority.issue('other.example.com')];
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, readFileSync(authority.file, 'utf8')]);
    try {
      const asks = async (identity: typeof own) => {
        const port = await listen(createHttpsServer(identity, (_, response) => response.end('tls')));
        const options = { resolve: resolveTo('127.0.0.1'), isAllowed: isLocal };
        return postSafely(new URL(`https://hooks.example.com:${port}/`), post, options);
      };
      expect(await asks(own)).toMatchObject({ status: 200, body: 'tls' });
      await expect(asks(foreign)).rejects.toThrow('connection failed: ERR_TLS_CERT_ALTNAME_INVALID');
    } finally {
      setDefaultCACertificates(known);
      authority.remove();
    }
  });
});
