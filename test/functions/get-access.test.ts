import { describe, expect, test } from '@jest/globals';
import { encodeSegment } from '#shared/signature/path.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { send } from '../support/send-request.ts';
import { signByHand } from '../support/sign-by-hand.ts';
import { anAccess } from '../support/view-shapes.ts';

const service = describeService();

const adaAccess = ['GET', '/api/service/users/ada/access'] as const;

describe('200', () => {
  test('returns the default access of a user without settings', async () => {
    const { status, headers, body } = await service.request(adaAccess);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      etag: '"0"',
    });
    expect(body).toEqual(anAccess({ userId: 'ada', appId: 'billing' }));
  });

  test("returns only the access to the key's application", async () => {
    await service.request(['PUT', '/api/service/users/grace/access'], { body: { status: 'disabled' } });
    const asked = ['GET', '/api/service/users/grace/access'] as const;
    expect((await service.request(asked)).body).toMatchObject({ appId: 'billing', effectiveStatus: 'disabled' });
    const inWiki = await service.request(asked, { key: service.wikiKey });
    expect(inWiki.body).toMatchObject({ appId: 'wiki', effectiveStatus: 'enabled', explicit: false, version: 0 });
  });

  test.each(awkwardUserIds)('reads the access of %s, however the encoding of the id is signed', async (userId) => {
    for (const segment of [encodeSegment(userId), encodeURIComponent(userId), userId]) {
      const { status, body } = await service.request(['GET', `/api/service/users/${segment}/access`]);
      expect([segment, status, body.userId]).toEqual([segment, 200, userId]);
    }
  });

  test('accepts a read with the nonce of an earlier one, because a read changes nothing', async () => {
    const signing = { nonce: 'the-same-nonce-twice' };
    expect((await service.request(adaAccess, { signing })).status).toBe(200);
    expect((await service.request(adaAccess, { signing })).status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    ['/api/service/users/a%20b/access', 'path:userId'],
    [`/api/service/users/${'a'.repeat(129)}/access`, 'path:userId'],
    ['/api/service/users/ada/access?verbose=1', 'query:verbose'],
  ])('refuses to read %s and names the field', async (target, pointer) => {
    expectInvalid(await service.request(['GET', target]), pointer);
  });

  test.each(['.', '..'])('refuses to read the user id %s, which URL parsers remove', async (userId) => {
    const request = { method: 'GET', target: `/api/service/users/${userId}/access` };
    const sent = signByHand(service.url, service.billingKey, request);
    expectInvalid(await send(service.url, sent), 'path:userId');
  });

  test('refuses to read an access with a body', async () => {
    const { status, body } = await service.request(adaAccess, { body: {} });
    expect([status, body.errors]).toEqual([400, [{ pointer: '#', detail: 'must be left out: a GET takes no body' }]]);
  });
});

describe('403', () => {
  test('refuses to read an access with a key without access:read', async () => {
    const key = await service.issueKey('billing', ['roles:write']);
    const answer = await service.request(adaAccess, { key });
    expectProblem(answer, 'scope_missing');
    expect(answer.body.detail).toBe('Requires the scope access:read; the API key has roles:write.');
  });
});

describe('404', () => {
  test('answers 404 to reading the access of a user who does not exist', async () => {
    expectProblem(await service.request(['GET', '/api/service/users/nobody/access']), 'user_not_found');
  });
});
