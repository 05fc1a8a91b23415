import { describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { alterItem, removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { writtenBy } from '../support/read-history.ts';
import { type Key, send } from '../support/send-request.ts';
import { digestOf, type RequestByHand, requiredComponents, signByHand } from '../support/sign-by-hand.ts';
import { operator } from '../support/start-service.ts';
import { type Change, read, setHeaders, unchanged, write } from '../support/tampered-requests.ts';
import { fromNow } from '../support/timestamps.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const sendByHand = (request: RequestByHand, change = unchanged, key?: Key) =>
  send(service.url, change(signByHand(service.url, key ?? service.billingKey, request)));

describe.each([
  ['a read', read],
  ['a write', write],
])('the key of %s', (_, request) => {
  describe('401 key_revoked', () => {
    test.each<[string, (keyId: string) => Promise<void>]>([
      [
        'is marked as revoked',
        (keyId) => alterItem(service, ['APP#wiki', 'APP'], ['keys', keyId, 'revokedAt'], fromNow(0)),
      ],
      ['is no longer kept', (keyId) => alterItem(service, ['APP#wiki', 'APP'], ['keys', keyId])],
    ])('401 key_revoked if the key %s, and only with its secret', async (_, revoke) => {
      const key = await service.issueKey('wiki', scopes);
      expect((await sendByHand(request, unchanged, key)).status).toBe(200);
      await revoke(key.keyId);
      const act = async () => {
        expectProblem(await sendByHand(request, unchanged, key), 'key_revoked');
        const stranger = await sendByHand(request, unchanged, { ...key, secret: 'svs_guessed' });
        expect(stranger.body.code).toBe('signature_mismatch');
      };
      expect(await writtenBy(service, act)).toEqual([]);
    });

    test.each<[string, (appId: string) => Promise<void>]>([
      ['gone', (appId) => removeItem(service, [`APP#${appId}`, 'APP'])],
      ['being deleted', (appId) => alterItem(service, [`APP#${appId}`, 'APP'], ['deleting'], true)],
    ])('401 key_revoked if the application is %s', async (what, remove) => {
      const appId = `${request.method}-${what}`.toLowerCase().replaceAll(' ', '-');
      const { createApplication } = await import('#shared/domain/application/applications.ts');
      await createApplication({ appId: appId as AppId, name: appId }, operator);
      const key = await service.issueKey(appId, scopes);
      await remove(appId);
      expectProblem(await sendByHand(request, unchanged, key), 'key_revoked');
    });
  });

  test('401 key_expired after the expiry of the key, and only with its secret', async () => {
    const key = await service.issueKey('wiki', scopes, fromNow(60_000));
    await alterItem(service, ['APP#wiki', 'APP'], ['keys', key.keyId, 'expiresAt'], fromNow(-1));
    const act = async () => {
      expectProblem(await sendByHand(request, unchanged, key), 'key_expired');
      const stranger = await sendByHand(request, unchanged, { ...key, secret: 'svs_guessed' });
      expect(stranger.body.code).toBe('signature_mismatch');
    };
    expect(await writtenBy(service, act)).toEqual([]);
  });

  test('accepts a key until it expires', async () => {
    const key = await service.issueKey('wiki', scopes, fromNow(60_000));
    expect((await sendByHand(request, unchanged, key)).status).toBe(200);
  });

  test('403 scope_missing if the key has every scope but the required one', async () => {
    const others = scopes.filter((scope) => scope !== request.scope);
    const answer = await sendByHand(request, unchanged, await service.issueKey('wiki', others));
    expectProblem(answer, 'scope_missing');
  });
});

describe('a body', () => {
  writeNothing(() => service);
  const other = '{"status":"disabled"}';

  test.each([
    ['was replaced', other],
    ['has one byte more', `${write.body} `],
    ['was lost in transit', ''],
  ])('401 digest_mismatch if the body %s', async (_, body) => {
    const answer = await sendByHand(write, (sent) => ({ ...sent, body }));
    expectProblem(answer, 'digest_mismatch', { receivedBytes: body.length });
  });

  test('401 signature_mismatch if the body was replaced together with its digest', async () => {
    const change: Change = (sent) => ({ ...setHeaders({ 'content-digest': digestOf(other) })(sent), body: other });
    const signatureBase = expect.stringContaining(digestOf(other));
    expectProblem(await sendByHand(write, change), 'signature_mismatch', { signatureBase });
  });

  test.each([
    ['no digest', 'nonsense'],
    ['only another algorithm', `sha-512=:${Buffer.alloc(64).toString('base64')}:`],
    ['two digests', `${digestOf(other)}, ${digestOf(other)}`],
    ['31 bytes', `sha-256=:${Buffer.alloc(31).toString('base64')}:`],
    ['an unfinished one', digestOf(write.body ?? '').slice(0, -1)],
  ])('401 signature_malformed if Content-Digest has %s', async (_, digest) => {
    expectProblem(await sendByHand({ ...write, headers: { 'content-digest': digest } }), 'signature_malformed');
  });
});

test('accepts a body with a digest of another algorithm in addition', async () => {
  const digest = `sha-512=:${Buffer.alloc(64).toString('base64')}:, ${digestOf(write.body ?? '')}`;
  expect((await sendByHand({ ...write, headers: { 'content-digest': digest } })).status).toBe(200);
});

test('accepts a request without a body with the digest of an empty one', async () => {
  const covered = [...requiredComponents(read), 'content-digest'];
  const { status } = await sendByHand({ ...read, covered, headers: { 'content-digest': digestOf('') } });
  expect(status).toBe(200);
});

describe('a nonce', () => {
  test('409 nonce_replayed if a write uses its nonce again', async () => {
    const sent = signByHand(service.url, service.billingKey, write);
    expect((await send(service.url, sent)).status).toBe(200);
    expectProblem(await send(service.url, sent), 'nonce_replayed');
  });

  test('accepts a read that uses its nonce again', async () => {
    const sent = signByHand(service.url, service.billingKey, read);
    expect((await send(service.url, sent)).status).toBe(200);
    expect((await send(service.url, sent)).status).toBe(200);
  });
});
