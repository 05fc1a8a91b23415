import { describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import type { RequestOptions } from '../support/send-request.ts';
import { freshNonce } from '../support/send-request.ts';
import { operator, startBundles } from '../support/start-service.ts';

const service = describeService(startBundles);

type Request = readonly [method: string, target: string];

/** Sends identical bytes twice, as an attacker could. */
async function sendTwice(request: Request, options: RequestOptions, between: () => Promise<unknown> = async () => {}) {
  const same = { ...options, signing: { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) } };
  const first = await service.request(request, same);
  await between();
  const before = await service.items();
  const second = await service.request(request, same);
  return { first, second, before, after: await service.items() };
}

describe('a replayed write is refused and changes nothing', () => {
  test('refuses a replay of a write that changed something', async () => {
    const { first, second, before, after } = await sendTwice(['PUT', '/api/service/users/ada/access'], {
      body: { status: 'disabled' },
    });
    expect([first.status, first.body.changed]).toEqual([200, true]);
    expect([second.status, second.body.code]).toEqual([409, 'nonce_replayed']);
    expect(after).toEqual(before);
  });

  test('refuses a replay of a write that changed nothing but now would', async () => {
    const enable = { body: { status: 'enabled' } };
    const access = ['PUT', '/api/service/users/grace/access'] as const;
    await service.request(access, enable);
    const block = () => service.request(access, { body: { status: 'disabled' } });
    const { first, second, before, after } = await sendTwice(access, enable, block);
    expect([first.status, first.body.changed]).toEqual([200, false]);
    expect([second.status, second.body.code]).toEqual([409, 'nonce_replayed']);
    expect(after).toEqual(before);
  });

  test('refuses a replay of a write that was refused for a user who now exists', async () => {
    const { createUser } = await import('#shared/domain/user/users.ts');
    const create = () => createUser({ userId: 'newcomer' as UserId, displayName: null, email: null }, operator);
    const request = ['PUT', '/api/service/users/newcomer/access'] as const;
    const { first, second, before, after } = await sendTwice(request, { body: { status: 'disabled' } }, create);
    expect([first.status, first.body.code]).toEqual([404, 'user_not_found']);
    expect([second.status, second.body.code]).toEqual([409, 'nonce_replayed']);
    expect(after).toEqual(before);
  });

  test('refuses a replay of a write that was refused for a version that is now current', async () => {
    const request = ['PUT', '/api/service/users/alan/access'] as const;
    const options = { body: { status: 'enabled' }, headers: { 'if-match': '"1"' } };
    const block = () => service.request(request, { body: { status: 'disabled' } });
    const { first, second } = await sendTwice(request, options, block);
    expect([first.status, second.status]).toEqual([412, 409]);
    expect((await service.request(['GET', request[1]])).body).toMatchObject({ status: 'disabled', version: 1 });
  });

  test('exactly one of several identical concurrent writes takes effect', async () => {
    const options = { body: { role: 'viewer' }, signing: { nonce: freshNonce() } };
    const same = { ...options, signing: { ...options.signing, created: Math.floor(Date.now() / 1000) } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.request(['POST', '/api/service/roles/ada/assign'], same)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe('a replayed attempt of a call that another attempt completed', () => {
  const access = (userId: string) => ['PUT', `/api/service/users/${userId}/access`] as const;
  const enable = { body: { status: 'enabled' } };
  const seconds = () => Math.floor(Date.now() / 1000);

  test('is refused even if the attempt was answered with the outcome', async () => {
    const attempt = (created: number, signing: { nonce: string }) =>
      service.request(access('ada'), { ...enable, signing: { ...signing, created } });
    const call = { nonce: freshNonce() };
    const start = seconds();
    const first = await attempt(start, call);
    const second = await attempt(start + 1, call);
    expect([second.status, second.body]).toEqual([200, first.body]);
    const before = await service.items();
    const replay = await attempt(start + 1, call);
    expect([replay.status, replay.body.code]).toEqual([409, 'nonce_replayed']);
    expect(await service.items()).toEqual(before);
    expect((await attempt(start + 2, call)).body).toEqual(first.body);
  });

  test.each([
    ['five minutes and more after the first', {}],
    ['for a different request', { body: { status: 'enabled', reason: 'another' } }],
  ])('is refused for as long as its signature is valid if the attempt was %s', async (_, difference) => {
    const call = { nonce: freshNonce() };
    const attempt = (created: number, options: object = {}) =>
      service.request(access('grace'), { ...enable, ...options, signing: { ...call, created } });
    const key = [`NONCE#${service.billingKey.keyId}#${call.nonce}`, 'NONCE'] as const;
    const kept = async () => Number((await service.items()).get(key.join(' '))?.ttl);
    const now = seconds();
    expect((await attempt(now - 270)).status).toBe(200);
    // An earlier attempt, signed by a fast clock, may be valid for as long.
    expect(await kept()).toBeGreaterThanOrEqual(now + 600);
    // As five minutes later.
    await alterItem(service, key, ['ttl'], now + 310);
    const late = await attempt(now + 290, difference);
    expect([late.status, late.body.code]).toEqual([409, 'nonce_replayed']);
    expect(await kept()).toBeGreaterThanOrEqual(now + 590);
    const replay = await attempt(now + 290, difference);
    expect([replay.status, replay.body.code]).toEqual([409, 'nonce_replayed']);
  });
});

test('a nonce used by one key can be used by another', async () => {
  const signing = { nonce: freshNonce() };
  const request = ['PUT', '/api/service/users/ada/access'] as const;
  const body = { status: 'enabled' };
  expect((await service.request(request, { body, signing })).status).toBe(200);
  expect((await service.request(request, { body, signing, key: service.wikiKey })).status).toBe(200);
});
