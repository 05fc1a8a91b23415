import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordOf } from '#shared/contract/change.ts';
import { followLinks } from '#shared/integrity/chain-breaks.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
  exported = await doEverything();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

type Exported = Parameters<typeof redactChange>[0] & { readonly id: string; readonly action: string };
let exported: readonly Exported[];

/** Makes at least one change of each kind, with a role, an application and a user that are deleted at the end. */
async function doEverything(): Promise<readonly Exported[]> {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await manage('iam', method, path, { body });
    expect([method, path, status < 300]).toEqual([method, path, true]);
    return answer;
  };
  const access = `/users/${userId}/access/${appId}`;
  await ask('PUT', access, { status: 'disabled', reason: 'unpaid' });
  await ask('PUT', `/users/${userId}/roles/${appId}/editor`);
  await ask('DELETE', `/users/${userId}/roles/${appId}/editor`);
  await ask('PUT', access, { status: 'enabled' });
  await ask('PATCH', `/users/${userId}`, { displayName: 'Zoë', email: 'zoe@example.org' });
  await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' });
  await ask('PATCH', `/applications/${appId}`, { name: 'Renamed', rolloutPercent: 12.5 });
  const { keyId } = await ask('POST', `/applications/${appId}/keys`, {});
  const { keyId: newId } = await ask('POST', `/applications/${appId}/keys/${keyId}/rotate`, { overlap: 'PT24H' });
  await ask('DELETE', `/applications/${appId}/keys/${newId}`);
  await ask('PUT', `/applications/${appId}/roles/editor`, { description: 'May change invoices' });
  await ask('DELETE', `/applications/${appId}/roles/editor?force=true`);
  await ask('PUT', `/applications/${appId}/roles/editor`, {});
  const history = [...(await changesOf(`/users/${userId}`)), ...(await changesOf(`/applications/${appId}`))];
  await ask('DELETE', `/users/${userId}`);
  await ask('PUT', `/users/${userId}`, {});
  await ask('DELETE', `/applications/${appId}?force=true`);
  const stored = await changesInTable([appId, userId]);
  return [...new Map([...history, ...stored].map((change) => [change.id, change])).values()];
}

async function changesOf(path: string): Promise<readonly Exported[]> {
  const { body } = await manage('iam', 'GET', `${path}/changes?limit=100`);
  return body.items;
}

async function changesInTable(ids: readonly string[]): Promise<readonly Exported[]> {
  const { changeOf } = await import('#shared/table/items/change-item.ts');
  const items = [...(await service.items()).values()].filter(({ sk }) => String(sk).startsWith('CHANGE#'));
  return items
    .map((item) => changeOf(item) as unknown as Exported)
    .filter((change) => ids.some((id) => isOf(change, id)));
}

function isOf({ userId, appId }: Readonly<Record<string, unknown>>, id: string): boolean {
  return userId === id || appId === id;
}

const verdicts = ({ body }: { body: { items: { verdict: string }[] } }) => body.items.map(({ verdict }) => verdict);

describeEachEntryPoint(manage, (ask, _, once) => {
  const verify = (changes: readonly object[]) => ask('POST', '/changes/verify', { changes });

  once(
    'every kind of exported change verifies as unchanged, whole and redacted, and links to the previous one',
    async () => {
      expect(new Set(exported.map(({ action }) => action)).size).toBe(15);
      for (const change of exported) {
        const redacted = redactChange(recordOf(change)) ?? {};
        expect([change.action, verdicts(await verify([change, redacted]))]).toEqual([
          change.action,
          ['unchanged', 'unchanged'],
        ]);
      }
      expect(followLinks(exported).broken).toEqual([]);
      expect(followLinks(exported.filter(({ action }) => action !== 'role.revoked')).broken).toHaveLength(1);
    },
  );

  once('returns a verdict for each id, in order, without reading the table', async () => {
    const [one, two, three] = exported;
    const { integrity: _, ...without } = two ?? {};
    const foreign = { ...three, integrity: { ...three?.integrity, root: 'k9' } };
    const answer = await verify([{ ...one, reason: 'another' }, without, foreign]);
    expect(answer.body).toEqual({
      items: [
        { id: one?.id, verdict: 'changed' },
        { id: two?.id, verdict: 'without-mac' },
        { id: three?.id, verdict: 'unknown-root' },
      ],
    });
    expect(sdk.requests).toEqual([]);
  });

  once('refuses to verify fields added next to the digest of a redacted change', async () => {
    const [change = { id: '', action: '' }] = exported;
    expect(verdicts(await verify([{ ...redactChange(change), reason: 'another' }]))).toEqual(['changed']);
  });

  describe('400', () => {
    test.each<[string, unknown, string]>([
      ['not a list', 'all', '#/changes'],
      ['none', [], '#/changes'],
      ['more than 100', Array.from({ length: 101 }, () => ({ id: 'x' })), '#/changes'],
      ['one without an id', [{}], '#/changes/0/id'],
      ['one nested deeper than a change', [{ id: 'x', before: { version: [[1]] } }], '#/changes/0'],
      [
        'one whose MAC is not a string',
        [{ id: 'x', integrity: { root: 'h1', previous: null, mac: null } }],
        '#/changes/0/integrity/mac',
      ],
      [
        'one with extra members in its link',
        [{ id: 'x', integrity: { root: 'h1', previous: null, mac: '', more: 1 } }],
        '#/changes/0/integrity/more',
      ],
    ])('refuses %s', async (_, changes, pointer) => {
      expectInvalid(await ask('POST', '/changes/verify', { changes }), pointer);
    });

    once('refuses a body that is too large', async () => {
      expectProblem(await verify([{ id: 'x', reason: 'x'.repeat(17_000) }]), 'body_too_large');
    });
  });
});
