import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import type { AccessReplicaOptions } from '../../client/replica.ts';
import { testKey } from './client-fixture.ts';
import {
  accessEntry,
  createStubService,
  earlyChangeId,
  openWatched,
  type StubService,
  stubClient,
  stubPage,
} from './replica-service.ts';
import type { WatchedReplica } from './watch-replica.ts';

const otherSecret = testKey.secret.replace('svs_0', 'svs_1');
let folder: string;
let file: string;
let stub: StubService;
const opened: WatchedReplica[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-replica-'));
  file = join(folder, 'replica');
  stub = createStubService();
});
afterEach(async () => {
  for (const { replica } of opened.splice(0)) await replica.close();
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function open(options: Partial<AccessReplicaOptions> = {}): Promise<WatchedReplica> {
  const watched = await openWatched(stub, { file, whenStale: 'goOn', startTimeoutSeconds: 0.1, ...options });
  opened.push(watched);
  return watched;
}

/** Writes the file of a replica with blocks, roles, an erased and an inactive user; the service is then unreachable. */
async function leaveFile(): Promise<void> {
  const items = [
    accessEntry('ada', { until: '2999-01-01T00:00:00.000Z' }),
    accessEntry('grace', { status: null, roles: [{ name: 'editor', expiresAt: null }] }),
    { kind: 'inactive', userId: 'alan', changeId: earlyChangeId },
    { kind: 'erased', userId: 'zoe', changeId: createUlid(new Date()), erasedAt: new Date().toISOString() },
  ];
  stub.access = () => ({ ...stubPage(), items, total: items.length });
  const { replica } = await open();
  await replica.close();
  stub.targets.length = 0;
  stub.access = stub.changes = () => 'drop';
}

const decisions = ({ replica }: WatchedReplica) =>
  ['ada', 'grace', 'alan', 'zoe', 'carl'].map((userId) => {
    const { effectiveStatus, decidedBy, roles, code } = replica.check(userId);
    return [effectiveStatus, decidedBy ?? code, roles.length];
  });
const known = [
  ['disabled', 'explicit', 0],
  ['enabled', 'default', 1],
  ['disabled', 'user', 0],
  ['disabled', 'user_not_found', 0],
  ['enabled', 'default', 0],
];

describe('the file of a replica', () => {
  test('lets it start during an outage and continue from the stored data', async () => {
    await leaveFile();
    const watched = await open();
    expect(decisions(watched)).toEqual(known);
    stub.changes = (after) => ({ items: [], more: false, cursor: after });
    await watched.replica.close();
    const next = await open();
    await next.replica.synchronized;
    expect(stub.targets.at(-1)).toBe('changes?limit=100&after=c0&pending=new');
    expect(stub.targets).not.toContain('access?limit=2500');
  });

  test('keeps the age of the data', async () => {
    await leaveFile();
    const later = Date.now() + 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    const { replica } = await open({ whenStale: 'deny' });
    expect(replica.ageSeconds).toBeGreaterThan(3599);
    expect(replica.check('carl').code).toBe('stale');
    jest.restoreAllMocks();
    expect(replica.ageSeconds).toBeGreaterThan(3599);
    const outcome = expect(replica.synchronized).rejects.toThrow('closed');
    await replica.close();
    await outcome;
  });

  test('keeps that the service has rejected the key', async () => {
    await leaveFile();
    stub.changes = () => 'refuse';
    const { replica, failures } = await open({ maxStalenessSeconds: 1e-6 });
    while (failures.every(({ during }) => during !== 'poll')) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(replica.check('carl').code).toBe('key_refused');
    await replica.close();
    stub.changes = () => 'drop';
    expect((await open({ maxStalenessSeconds: 1e-6 })).replica.check('carl').code).toBe('key_refused');
  });

  test.each([
    ['a changed byte', (bytes: Buffer) => bytes.with(bytes.indexOf('grace'), 0x45)],
    ['a missing byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['its second half missing', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['no content', (bytes: Buffer) => bytes.subarray(0, 0)],
    ['only zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    [
      'a missing line',
      (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(0, bytes.indexOf('["ada"')), bytes.subarray(bytes.indexOf('["grace"'))]),
    ],
  ])('with %s is ignored and reported', async (_, damage) => {
    await leaveFile();
    writeFileSync(file, damage(readFileSync(file)));
    const failures: unknown[] = [];
    const onError = (failure: unknown) => failures.push(failure);
    await expect(open({ onError })).rejects.toMatchObject({ code: 'no_answer' });
    expect(failures[0]).toMatchObject({ during: 'file', error: { name: 'TypeError' } });
  });

  test.each([
    ['another secret', { secret: otherSecret }],
    ['another application', { keyId: testKey.keyId.replace('billing', 'wiki') }],
    ['another service', { baseUrl: 'https://other.test' }],
  ])('of %s is ignored and reported', async (_, settings) => {
    await leaveFile();
    const failures: unknown[] = [];
    const onError = (failure: unknown) => failures.push(failure);
    await expect(open({ client: stubClient(stub, settings), onError })).rejects.toMatchObject({ code: 'no_answer' });
    expect(failures[0]).toMatchObject({ during: 'file', error: { name: 'TypeError' } });
  });

  test('is readable only by its owner, and no temporary file remains', async () => {
    writeFileSync(file, 'damaged', { mode: 0o666 });
    chmodSync(file, 0o666);
    await leaveFile();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['replica']);
    expect(readFileSync(file, 'utf8')).not.toContain(testKey.secret.slice(4));
  });

  test('that cannot be written is reported, and does not stop decisions', async () => {
    const missing = join(folder, 'missing/replica');
    const { replica, failures } = await open({ file: missing });
    await replica.close();
    expect(failures).toMatchObject([{ during: 'file', error: { code: 'ENOENT' } }, { during: 'file' }]);
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
  });
});
