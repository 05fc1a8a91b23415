import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runHere } from '#test/cli/run-here.ts';
import { putItems } from '#test/support/alter-item.ts';
import { serveHeadsStore } from '#test/support/heads-store.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';
import type { HeadsProgress } from '../heads-run.ts';
import type { Head } from '../signed-heads.ts';

type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

const unlimited = { endsAt: Number.POSITIVE_INFINITY };

let service: TestService;
let bucket: Awaited<ReturnType<typeof serveHeadsStore>>;
let folder: string;
/** The table and the signed heads, when the calls of this file have been answered. */
let items: readonly Item[];
let files: readonly string[];
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startSources();
  bucket = await serveHeadsStore();
  folder = mkdtempSync(join(tmpdir(), 'auth-service-heads-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = service;
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, region: 'local', ...accessKey }));
  await doEverything();
  files = await signTable();
  items = await scan();
});
beforeEach(() => bucket.store.objects.clear());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await bucket.stop();
  await service.stop();
});

async function ask(method: string, path: string, body?: object) {
  const { status } = await manage('iam', method, path, { body });
  expect([method, path, status < 300]).toEqual([method, path, true]);
}

async function doEverything(): Promise<void> {
  for (const appId of ['ledger', 'gone']) {
    await ask('POST', '/applications', { appId, name: appId });
    await ask('PUT', `/applications/${appId}/roles/editor`, {});
  }
  await ask('PUT', '/applications/ledger/roles/gone', {});
  for (const userId of ['zoe.adams', 'left.adams', 'erased.adams', 'again.adams']) {
    await ask('PUT', `/users/${userId}`, { displayName: userId });
    await ask('PUT', `/users/${userId}/access/ledger`, { status: 'disabled', reason: 'unpaid' });
    await ask('PUT', `/users/${userId}/access/gone`, { status: 'disabled' });
  }
  await ask('PUT', '/users/zoe.adams/roles/ledger/editor');
  await ask('PUT', '/users/zoe.adams/access/ledger', { status: 'enabled' });
  await ask('PUT', '/users/left.adams/status', { status: 'inactive', reason: 'left' });
  await ask('DELETE', '/applications/ledger/roles/gone?force=true');
  for (const path of ['/users/erased.adams', '/users/again.adams', '/applications/gone?force=true'])
    await ask('DELETE', path);
  await ask('PUT', '/users/again.adams', {});
}

/** The objects that a run stores, in their order. */
async function signTable(): Promise<string[]> {
  const { newHeadsRun, signAllHeads } = await import('../heads-run.ts');
  expect(await signAllHeads(newHeadsRun(), unlimited)).toBeUndefined();
  return stored();
}

function stored(): string[] {
  return [...bucket.store.objects].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
}

async function scan(): Promise<Item[]> {
  return [...(await service.items()).values()] as Item[];
}

async function verify(table: readonly Item[], heads: readonly string[] = files) {
  const lines = table.map((item) => JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) }));
  writeFileSync(join(folder, 'table.jsonl'), lines.join('\n'));
  writeFileSync(join(folder, 'key.txt'), `${bucket.store.publicKey}\n`);
  const names = heads.map((text, at) => {
    writeFileSync(join(folder, `${at}.jsonl`), text);
    return `${at}.jsonl`;
  });
  const args = ['history', 'verify', 'table.jsonl', '--json', '--heads', ...names, '--heads-key', 'key.txt'];
  const { code, stdout, stderr } = await runHere(args, { cwd: folder });
  const { breaks, heads: report } = JSON.parse(stdout);
  const missing = report.missing.map(({ subject }: { subject: string }) => subject).sort();
  return { code, stderr, breaks, missing, checked: report.checked };
}

const isChange = ({ sk }: Item) => sk.startsWith('CHANGE#');
const headsIn = (texts: readonly string[]): Head[] =>
  texts.flatMap((text) =>
    text
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line)),
  );

test('the heads of all chains are signed, of tombstones too, each with the time of its last change', () => {
  const heads = headsIn(files);
  const chained = items.filter(({ chainHead }) => chainHead !== undefined);
  expect(heads.map(({ mac }) => mac).sort()).toEqual(chained.map(({ chainHead }) => chainHead).sort());
  const times = new Map(items.filter(isChange).map(({ integrity, at }) => [Object(integrity).mac, at]));
  expect(heads.map(({ mac, at }) => [mac, at])).toEqual(heads.map(({ mac }) => [mac, times.get(mac)]));
  expect(chained.filter(({ erased, deleting }) => erased ?? deleting).length).toBeGreaterThanOrEqual(3);
});

test('the files have no id of a user, and no other personal data', () => {
  // No digest has a dot.
  for (const text of ['.adams', 'unpaid', '@example']) expect(files.join('')).not.toContain(text);
});

test('a table that only the service wrote has a change for each head', async () => {
  expect(await verify(items)).toMatchObject({ code: 0, stderr: '', breaks: [], missing: [] });
});

describe('what was removed with all its traces in the table is missed', () => {
  const of = (pk: string) => (item: Item) => item.pk === pk;
  test('the last change of one access, whose item was set back', async () => {
    const changes = items.filter((item) => of('USER#zoe.adams')(item) && isChange(item) && item.appId === 'ledger');
    const [before, last] = changes.toSorted((one, other) => (one.sk < other.sk ? -1 : 1)).slice(-2) as [Item, Item];
    const setBack = { chainHead: Object(before.integrity).mac, lastChangeId: before.id, updatedAt: before.at };
    const altered = items
      .filter((item) => item !== last)
      .map((item) => (of('USER#zoe.adams')(item) && item.sk === 'ACCESS#ledger' ? { ...item, ...setBack } : item));
    expect(await verify(altered)).toMatchObject({ code: 1, breaks: [], missing: ['access of zoe.adams in ledger'] });
  });

  test('a user with all accesses and changes', async () => {
    const altered = items.filter((item) => !of('USER#left.adams')(item));
    const missing = ['access of (not in the export) in ledger', 'user (not in the export)'];
    expect(await verify(altered)).toMatchObject({ code: 1, breaks: [], missing });
  });

  test('the erasure of a user', async () => {
    const altered = items.filter((item) => !of('USER#erased.adams')(item));
    expect(await verify(altered)).toMatchObject({ code: 1, breaks: [], missing: ['user (not in the export)'] });
  });

  test('an application that was deleted', async () => {
    const altered = items.filter((item) => !of('APP#gone')(item));
    expect((await verify(altered)).missing).toEqual(['application gone']);
  });
});

test('a table that was rolled back and went on lacks what was changed in between', async () => {
  const before = await scan();
  await ask('PUT', '/users/zoe.adams/status', { status: 'inactive', reason: 'left' });
  const heads = await signTable();
  expect(await verify(await scan(), heads)).toMatchObject({ code: 0, missing: [] });
  expect(await verify(before, heads)).toMatchObject({ code: 1, breaks: [], missing: ['user zoe.adams'] });
  expect(await verify(await scan(), files)).toMatchObject({ code: 0, missing: [] });
});

test('the heads of users, roles and applications that were deleted later are not missed', async () => {
  await ask('PUT', '/users/later', { displayName: 'later' });
  await ask('PUT', '/users/later/access/ledger', { status: 'disabled' });
  await ask('POST', '/applications', { appId: 'later', name: 'later' });
  await ask('PUT', '/users/zoe.adams/access/later', { status: 'disabled' });
  const heads = await signTable();
  const present = await scan();
  for (const path of ['/users/later', '/applications/later?force=true']) await ask('DELETE', path);
  const left = await scan();
  expect(left.filter((item) => item.pk === 'USER#later' && !isChange(item)).length).toBeLessThan(
    present.filter((item) => item.pk === 'USER#later' && !isChange(item)).length,
  );
  expect(await verify(left, heads)).toMatchObject({ code: 0, breaks: [], missing: [] });
});

describe('a run', () => {
  /** More than a page has. */
  const many = Array.from({ length: 3000 }, (_, n) => ({
    pk: `USER#many-${n}`,
    sk: 'ACCESS#ledger',
    userId: `many-${n}`,
    appId: 'ledger',
    chainHead: `mac-${n}`,
    updatedAt: '2026-01-01T00:00:00.000Z',
    other: 'x',
  }));

  test('that has no time left hands over its progress after a page, and the next invocation continues', async () => {
    await putItems(service, ...many);
    const { handler } = await import('../functions/sign-heads.ts');
    const context = { invokedFunctionArn: 'arn:aws:lambda:local:1:function:F', getRemainingTimeInMillis: () => 0 };
    let event: { progress?: HeadsProgress } = {};
    for (let invocations = 1; ; invocations++) {
      bucket.sent.length = 0;
      await handler(event, context as never);
      const [next] = bucket.sent;
      if (next === undefined) {
        expect(invocations).toBeGreaterThanOrEqual(2);
        break;
      }
      expect(next.type).toBe('Event');
      event = next.payload;
    }
    expect(bucket.store.objects.size).toBeGreaterThanOrEqual(2);
    const macs = headsIn(stored()).map(({ mac }) => mac);
    expect(macs.filter((mac) => mac.startsWith('mac-'))).toHaveLength(3000);
    expect(new Set(macs).size).toBe(macs.length);
    const real = (await scan()).filter((item) => !item.pk.startsWith('USER#many-'));
    expect((await verify(real, stored())).checked).toBe(macs.length);
    expect([...bucket.store.objects.keys()][0]).toMatch(
      /^authservice-backupvault-heads\/auth-service\/\d{4}-\d\d-\d\d-[0-9A-Z]{26}\/00001\.jsonl$/,
    );
  });

  test('stores the heads that it has read whenever there are enough of them', async () => {
    const { newHeadsRun, signAllHeads } = await import('../heads-run.ts');
    await signAllHeads(newHeadsRun(), { ...unlimited, headsPerPart: 1000 });
    expect(stored().length).toBeGreaterThanOrEqual(2);
    const real = (await scan()).filter((item) => !item.pk.startsWith('USER#many-'));
    expect((await verify(real, stored())).checked).toBe(headsIn(stored()).length);
    await signTable();
    expect(headsIn(stored().slice(-1)).length).toBe(headsIn(stored().slice(0, -1)).length);
  });

  test('retries an object whose answer was lost or that S3 could not take', async () => {
    bucket.store.failures.push(503);
    await signTable();
    expect(bucket.store.failures).toEqual([]);
    const chained = (await scan()).filter(({ chainHead }) => chainHead !== undefined);
    expect(headsIn(stored())).toHaveLength(chained.length);
  });

  test('does not continue itself for more than 20 hours', async () => {
    const { newHeadsRun, signAllHeads } = await import('../heads-run.ts');
    const continued = (hours: number) => {
      const begun = new Date(Date.now() - hours * 3_600_000).toISOString();
      return signAllHeads({ ...newHeadsRun(), begun }, unlimited);
    };
    await expect(continued(19.9)).resolves.toBeUndefined();
    await expect(continued(20.1)).rejects.toThrow(/has not ended within 20 hours/);
  });

  test('ends if S3 refuses an object', async () => {
    bucket.store.failures.push(403);
    await expect(signTable()).rejects.toThrow('s3 answered 403');
  });

  test('ends if an object has its name already', async () => {
    const { newHeadsRun, signAllHeads } = await import('../heads-run.ts');
    const run = newHeadsRun();
    await signAllHeads(run, unlimited);
    await expect(signAllHeads(run, unlimited)).rejects.toThrow('s3 answered 412');
  });
});
