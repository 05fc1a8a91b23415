import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { AppId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import { checkAccess } from '#shared/domain/access/check-users.ts';
import { getAccess } from '#shared/domain/access/read-access.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { issueKey } from '#shared/domain/api-key/manage-keys.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const after = (milliseconds: number) => new Date(start + milliseconds).toISOString();
const memory = tableForEachTest(start);

const request = { requestId: 'r', sourceIp: '192.0.2.7' };
const operator = { ...request, caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'eve' } } as const;
const [userId, role] = ['ada' as UserId, 'editor' as RoleName];

type Ask = (appId: AppId, context: RequestContext) => Promise<object | undefined>;
const reads: Readonly<Record<string, Ask>> = {
  'get-access': (appId, context) => getAccess({ userId, appId }, context),
  'check-access': async (appId, context) => (await checkAccess({ appId, userIds: [userId] }, context)).items[0],
};

interface Ends {
  readonly block: number;
  readonly grant: number;
  readonly key: number;
}

/**
 * Creates a separate application, with a key, a block and a grant that expire the given milliseconds after the start.
 */
async function prepare(appId: AppId, { block, grant, key }: Ends): Promise<KeyId> {
  await createApplication({ appId, name: appId }, operator);
  await defineRole({ appId, role, description: null }, operator);
  const setting = { status: 'disabled', reason: null, until: after(block) } as const;
  await setAccess({ userId, appId, setting }, operator);
  await assignRole({ userId, appId, grant: { role, expiresAt: after(grant) } }, operator);
  const issued = await issueKey({ appId, scopes: ['access:read'], expiresAt: after(key) }, operator);
  return issued.keyId as KeyId;
}

test.each(Object.entries(reads))(
  '%s decides by a time after its read: what expires during the read has expired',
  async (_, ask) => {
    await createUser({ userId, displayName: null, email: null }, operator);
    const end = fc.integer({ min: 1, max: 5000 });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.record({ block: end, grant: end, key: end }), end, async (ends, readEnds) => {
        jest.setSystemTime(start);
        const appId = `app-${++count}` as AppId;
        const keyId = await prepare(appId, ends);
        memory.before = ({ command }) => {
          if (command === 'BatchGetItemCommand') jest.setSystemTime(start + readEnds);
        };
        const context = {
          ...request,
          caller: { kind: 'api-key', appId, keyId },
          requiredScope: 'access:read',
        } as const;
        const answer = await ask(appId, context).catch(({ code }) => ({ code }));
        memory.before = undefined;
        const isOver = (at: number) => at <= readEnds;
        const allowed = {
          effectiveStatus: isOver(ends.block) ? 'enabled' : 'disabled',
          roles: isOver(ends.grant) ? [] : [{ name: role, expiresAt: after(ends.grant) }],
        };
        expect(answer).toMatchObject(isOver(ends.key) ? { code: 'key_expired' } : allowed);
      }),
      { numRuns: 50 },
    );
  },
);
