import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import { foldable, foldHistory } from '../../bench/compare-history.ts';
import { grantRole, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { readHistory } from '../support/read-history.ts';
import { startSources, type TestService } from '../support/start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

describe('a history', () => {
  let userId: string;
  let changes: Change[];
  beforeAll(async () => {
    userId = await newUser();
    await setStatus(userId, 'billing', 'disabled', 'a first reason');
    await grantRole(userId, 'billing', 'viewer');
    await grantRole(userId, 'billing', 'editor', '2030-01-01T00:00:00.000Z');
    await service.request(['DELETE', `/api/service/users/${userId}/revoke?role=viewer`]);
    await setStatus(userId, 'billing', 'enabled', 'a second reason');
    changes = (await readHistory(service, userId)) as unknown as Change[];
  });

  test('folds to the access that the service answers', async () => {
    const { body } = await service.request(['GET', `/api/service/users/${userId}/access`]);
    expect(foldHistory(changes).get(userId)).toEqual(foldable(body));
    expect(foldable(body)).toMatchObject({ status: 'enabled', version: 5, roles: [{ name: 'editor' }] });
  });

  test.each([0, 2])('that lacks its change number %d is refused', (missing) => {
    expect(() => foldHistory(changes.toSpliced(missing, 1))).toThrow(/leads from version/);
  });
});
