import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem, requestIdOf } from '../support/expect-problem.ts';
import { keyRequests } from '../support/key-requests.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { runRoot } from '../support/run-root.ts';
import type { Answer } from '../support/send-request.ts';
import { startBundles } from '../support/start-service.ts';

const service = describeService(startBundles);

const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });
const { issue, rotate, useOf } = keyRequests(() => service, ask);

/** Waits until the function has logged a request. */
async function logged(answer: Answer): Promise<void> {
  const lines = async () => service.logLines.filter((line) => line.includes(`"${requestIdOf(answer)}"`));
  expect(await eventually(lines, (found) => found.length > 0)).not.toEqual([]);
}

test('setting the access in one application leaves all other items unchanged except the order of changes', async () => {
  await service.request(['PUT', '/api/service/users/ada/access'], {
    body: { status: 'enabled' },
    key: service.wikiKey,
  });
  const before = await service.items();
  await service.request(['PUT', '/api/service/users/ada/access'], { body: { status: 'disabled', reason: 'left' } });
  const after = await service.items();
  const written = [...after.keys()].filter((key) => !isDeepStrictEqual(after.get(key), before.get(key)));
  expect(written.map((key) => key.replace(/#[^#]*$/, '')).sort()).toEqual([
    'APP#billing#USERS USER',
    `NONCE#${service.billingKey.keyId}`,
    'USER',
    'USER#ada ACCESS',
    'USER#ada CHANGE',
  ]);
  const { lastChangeId, ...user } = after.get('USER#ada USER') ?? {};
  expect({ ...user, lastChangeId: before.get('USER#ada USER')?.lastChangeId }).toEqual(before.get('USER#ada USER'));
  expect(after.has(`USER#ada CHANGE#${lastChangeId}`)).toBe(true);
  expect([...before.keys()].filter((key) => !after.has(key))).toEqual([]);
});

describe('a key', () => {
  test('a revoked key stops working immediately, for reads and writes', async () => {
    const key = await service.issueKey('billing', ['access:read', 'access:write']);
    const access = '/api/service/users/ada/access';
    expect((await service.request(['GET', access], { key })).status).toBe(200);
    await revoke('billing', key.keyId);
    const before = await service.items();
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { status: 'disabled' } : undefined;
      const answer = await service.request([method, access], { key, body });
      expect([method, answer.status, answer.body.code]).toEqual([method, 401, 'key_revoked']);
    }
    expect(await service.items()).toEqual(before);
  });
});

describe('secrets', () => {
  test('secrets do not appear in any item or log line', async () => {
    await service.request(['PUT', '/api/service/users/ada/access'], {
      body: { status: 'enabled', reason: 'not logged' },
    });
    await service.request(['GET', '/api/service/users/ada/access'], { signing: { secret: 'svs_guessed' } });
    const everything = JSON.stringify([...(await service.items({ keyUses: true }))]) + service.logLines.join('\n');
    expect(service.logLines.join('\n')).toContain('"route":"get-access"');
    for (const secret of [service.billingKey.secret, service.wikiKey.secret, runRoot, 'svs_']) {
      expect(everything.includes(secret)).toBe(false);
    }
    for (const unwanted of ['not logged', '@example.com', 'signature-input', 'Signature-Input']) {
      expect(service.logLines.join('\n').includes(unwanted)).toBe(false);
    }
  });

  test('the secret of a key is only in the response that creates it, not in any list, history, item or log line', async () => {
    const appId = await newApplication();
    const issued = await issue(appId);
    const { body: rotated } = await rotate(appId, issued);
    expect([await useOf(issued), await useOf(rotated)]).toEqual([200, 200]);
    const target = ['GET', '/api/service/users/ada/access'] as const;
    const forged = await service.request(target, { key: { ...issued, secret: rotated.secret } });
    expect([forged.status, forged.body.code]).toEqual([401, 'signature_mismatch']);
    const path = `/applications/${appId}`;
    const reads = [path, `${path}/keys`, `${path}/changes`, `${path}/changes?after=`, '/applications?limit=100'];
    const answers = await Promise.all(reads.map((read) => ask('GET', read)));
    answers.push(forged, await ask('DELETE', `${path}/keys/${rotated.keyId}`));
    await Promise.all(answers.map(logged));
    const shown = [answers.map(({ body }) => body), [...(await service.items({ keyUses: true }))], service.logLines];
    for (const place of shown.map((one) => JSON.stringify(one))) {
      for (const { keyId, secret } of [issued, rotated]) {
        expect(place).toContain(keyId);
        expect(place).not.toContain(secret.slice('svs_'.length));
      }
      expect(place).not.toContain('svs_');
    }
  });
});

async function revoke(appId: string, keyId: string): Promise<void> {
  await alterItem(service, [`APP#${appId}`, 'APP'], ['keys', keyId, 'revokedAt'], new Date().toISOString());
}

describe('an access of an earlier user with the same id, which a read may find while a user is recreated', () => {
  const createdAt = '2020-01-01T00:00:00.000Z';
  const access = (userId: string) => [`USER#${userId}`, 'ACCESS#billing'] as const;
  const get = (userId: string) => service.request(['GET', `/api/service/users/${userId}/access`]);

  test('answers 503 instead of combining the two incarnations', async () => {
    const userId = await newUser();
    await service.request(['PUT', `/api/service/users/${userId}/access`], { body: { status: 'disabled' } });
    expect((await get(userId)).body.effectiveStatus).toBe('disabled');
    await alterItem(service, access(userId), ['userCreatedAt'], createdAt);
    expectProblem(await get(userId), 'unavailable');
  });
});
