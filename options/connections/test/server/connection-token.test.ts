import { createSecretKey, hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ConnectionId, KeyId } from '#shared/contract/fields.ts';
import { deriveSecret } from '#shared/keys/key-id.ts';
import { rootKey } from '#shared/keys/root-keys.ts';
import {
  deriveToken,
  formatConnectionKeyId,
  parseConnectionKeyId,
  verifyToken,
} from '../../server/connection-token.ts';

const ulid = '01JD0000000000000000000000';
const keyId = `svc_c1_gateway_${ulid}` as KeyId;
const root = createSecretKey(Buffer.alloc(32, 7));

async function tokenOf(id: string = keyId): Promise<string> {
  const ours = await rootKey('c1');
  if (ours === undefined) throw new Error('The tests have no root c1');
  return deriveToken(ours, id as KeyId);
}

test('the id of a key contains the root version and the connection', () => {
  expect(formatConnectionKeyId({ rootVersion: 'c1', connectionId: 'gateway' as ConnectionId, ulid })).toBe(keyId);
  expect(parseConnectionKeyId(keyId)).toEqual({ keyId, rootVersion: 'c1', connectionId: 'gateway' });
});

test.each([
  `svc_k0_gateway_${ulid}`,
  `svc_c1_Gateway_${ulid}`,
  `svc_c1_gateway_8${ulid.slice(1)}`,
  `svc_c1_gateway_${ulid}\n`,
  `xsvc_c1_gateway_${ulid}`,
  `svk_k1_gateway_${ulid}`,
  '',
])('parses no id from %p', (text) => {
  expect(parseConnectionKeyId(text)).toBeUndefined();
});

test('a token is HKDF-SHA256 of the root, bound to the whole id of the key', () => {
  const expected = hkdfSync('sha256', Buffer.alloc(32, 7), '', `auth-service/connection/${keyId}`, 32);
  const end = Buffer.from(expected).toString('base64url');
  expect(deriveToken(root, keyId)).toBe(`svt_c1_gateway_${ulid}_${end}`);
  const secretOf = (id: string, by = root) => deriveToken(by, id as KeyId).slice(-43);
  expect(secretOf(keyId)).not.toBe(secretOf(`svc_k2_gateway_${ulid}`));
  expect(secretOf(keyId)).not.toBe(secretOf(`svc_c1_other_${ulid}`));
  expect(secretOf(keyId)).not.toBe(secretOf(`${keyId.slice(0, -1)}1`));
  expect(secretOf(keyId)).not.toBe(secretOf(keyId, createSecretKey(Buffer.alloc(32, 8))));
});

test('the secret of an API key is no token, even with the same id', () => {
  expect(deriveToken(root, keyId).slice(-43)).not.toBe(deriveSecret(root, keyId as KeyId).slice(-43));
});

test('secret scanners find a token by its documented expression, within other text', () => {
  const scanned = /svt_[ck][1-9]\d{0,3}_[a-z][a-z0-9-]{1,39}_[0-7][0-9A-HJKMNP-TV-Z]{25}_[A-Za-z0-9_-]{43}/.exec(
    `Authorization: Bearer ${deriveToken(root, keyId)}\r\n`,
  );
  expect(scanned?.[0]).toBe(deriveToken(root, keyId));
});

describe('verifying a token', () => {
  test('accepts the token of a key and says whose it is', async () => {
    const verified = await verifyToken(await tokenOf());
    expect(verified).toEqual({ keyId, rootVersion: 'c1', connectionId: 'gateway' });
  });

  test('refuses a token whose secret is that of another id, connection or root', async () => {
    const token = await tokenOf();
    const others = [`${keyId.slice(0, -1)}1`, `svc_c1_other_${ulid}`];
    for (const other of await Promise.all(others.map(tokenOf))) {
      expect(await verifyToken(token.slice(0, -43) + other.slice(-43))).toBeUndefined();
    }
    expect(await verifyToken(deriveToken(root, keyId))).toBeUndefined();
  });

  test('refuses a token with any one character changed, left out or added', async () => {
    const token = await tokenOf();
    for (let place = 0; place < token.length; place += 1) {
      const [before, after] = [token.slice(0, place), token.slice(place + 1)];
      const others = ['A', 'b', '0', '_'].filter((character) => character !== token[place]);
      for (const altered of [before + after, ...others.map((character) => before + character + after)]) {
        expect([altered, await verifyToken(altered)]).toEqual([altered, undefined]);
      }
    }
    for (const altered of [`${token}A`, `${token}\n`, ` ${token}`, `${token}=`]) {
      expect(await verifyToken(altered)).toBeUndefined();
    }
  });

  test('accepts a token from before tokens had roots, where that of API keys is, and none of another purpose', async () => {
    const tokenBy = async (version: string) => {
      const secret = createSecretKey((await rootKey(version))?.export() ?? Buffer.alloc(0));
      return deriveToken(secret, keyId.replace('_c1_', `_${version}_`) as KeyId);
    };
    expect(await verifyToken(await tokenBy('k1'))).toMatchObject({ rootVersion: 'k1', connectionId: 'gateway' });
    for (const version of ['h1', 'w1']) expect(await verifyToken(await tokenBy(version))).toBeUndefined();
  });

  test('refuses an unknown root version, and texts that are no token', async () => {
    const token = await tokenOf();
    const unknown = token.replace('_c1_', '_c999_');
    for (const text of [unknown, keyId, 'svt_', '', `svt_${'x'.repeat(100_000)}`]) {
      expect(await verifyToken(text)).toBeUndefined();
    }
  });
});
