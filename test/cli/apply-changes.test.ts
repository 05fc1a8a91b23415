import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from '#shared/contract/answers.ts';
import type { KeyView } from '#shared/contract/api-key.ts';
import type { Change } from '#shared/contract/change.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { readChanges } from '../../cli/commands/changes-commands.ts';
import type { AppliedChange } from '../../cli/history/apply-changes.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { documentClient } from '../support/document-client.ts';
import { eventually } from '../support/eventually.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, startStub } from './stub-service.ts';

const root = Buffer.alloc(32, 7).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
const file = join(folder, 'events.json');
let dynamodb: DynamodbProcess;
let stacks: readonly RunningStack[];
/** The ids of the kept and of the revoked key. */
let [labelled, revoked] = ['', ''];
/** The id of the key of a connection. */
let token = '';
/** The id of a key that was issued after the time of the restore. */
let lateKey = '';
/** The changes in the earlier table after the time of the restore. */
let missing: Change[];

beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  stacks = [await start('earlier'), await start('restored')];
  for (const userId of ['ada', 'bob', 'eve', 'zoe']) await manage('earlier', 'users', 'create', userId);
  await manage('earlier', 'apps', 'create', 'shop', 'The Shop');
  await manage('earlier', 'roles', 'define', 'shop', 'editor');
  await manage('earlier', 'grants', 'assign', 'ada', 'shop', 'editor');
  const issue = async () => JSON.parse(await manage('earlier', 'keys', 'issue', 'shop', '--json')).keyId;
  [labelled, revoked] = [await issue(), await issue()];
  await manage('earlier', 'connections', 'create', 'gateway', '--app', 'shop');
  token = JSON.parse(await manage('earlier', 'connections', 'issue', 'gateway', '--json')).keyId;
  await restore();
  const before = (await changesIn('earlier')).map(({ id }) => id);
  await manage('earlier', 'access', 'set', 'bob', 'shop', 'disabled', '--reason', 'audit');
  await manage('earlier', 'access', 'set', 'bob', 'shop', 'disabled', '--reason', 'card stolen', '--until', '2h');
  await manage('earlier', 'grants', 'revoke', 'ada', 'shop', 'editor');
  await manage('earlier', 'users', 'set-status', 'zoe', 'inactive', '--reason', 'left the company');
  await manage('earlier', 'users', 'create', 'new');
  await manage('earlier', 'apps', 'create', 'late', 'Late', '--rollout', '5');
  await manage('earlier', 'apps', 'update', 'late', '--requests-per-second', '20');
  await manage('earlier', 'apps', 'update', 'late', '--name', 'Later');
  await manage('earlier', 'roles', 'define', 'late', 'editor', '--description', 'May edit');
  await manage('earlier', 'grants', 'assign', 'new', 'late', 'editor');
  lateKey = JSON.parse(await manage('earlier', 'keys', 'issue', 'late', '--json')).keyId;
  await manage('earlier', 'users', 'set-status', 'new', 'inactive');
  await manage('earlier', 'keys', 'label', 'shop', labelled, 'Nightly');
  await manage('earlier', 'keys', 'label', 'shop', labelled, 'Nightly report');
  await manage('earlier', 'keys', 'revoke', 'shop', revoked);
  await manage('earlier', 'keys', 'label', 'shop', revoked, 'Leaked');
  await manage('earlier', 'connections', 'update', 'gateway', '--app', 'shop', '--app', 'late');
  await manage('earlier', 'connections', 'create', 'first', '--app', 'late');
  await manage('earlier', 'connections', 'update', 'first', '--name', 'First proxy');
  await manage('earlier', 'connections', 'create', 'second', '--app', 'shop');
  await manage('earlier', 'connections', 'update', 'second', '--name', 'Second proxy');
  await manage('earlier', 'connections', 'label', 'gateway', token, 'nginx');
  const seen = await changesIn('earlier');
  await manage('earlier', 'users', 'delete', 'eve', '--yes');
  const all = [...seen, ...(await changesIn('earlier'))].filter(({ id }) => !before.includes(id));
  missing = readChanges(JSON.stringify(all), 'the table');
  const events = missing.toReversed().map((detail) => JSON.stringify({ source: 'auth-service', detail }));
  writeFileSync(file, JSON.stringify([...events, events[0]]));
});
afterAll(async () => {
  for (const stack of stacks ?? []) await stack.close();
  await dynamodb?.stop();
  rmSync(folder, { recursive: true });
});

test('a dry run reports missing changes and changes nothing', async () => {
  const outcomes = JSON.parse(await manage('restored', 'changes', 'apply', file, '--dry-run', '--json'));
  expect(outcomeOf(outcomes, 'user.deleted')).toBe('applied');
  expect(JSON.parse(await manage('restored', 'users', 'show', 'eve', '--json'))).toMatchObject({ userId: 'eve' });
});

test('applies nothing when the service would refuse the operator a later change', async () => {
  const stub = await startStub();
  const place = makeStubFolder(stub.url);
  stub.on('GET /users/zoe/changes', { body: { items: [], cursor: null } });
  stub.on('GET /users/eve/changes', { body: { items: [], cursor: null } });
  stub.on('PUT /users/zoe/status', { body: { changed: true } });
  stub.on('DELETE /users/eve', problem('role_required', 'Requires the admin role.'));
  const { code, stderr } = await runHere(['changes', 'apply', file], { cwd: place.folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Requires the admin role. (role_required)')]);
  const writes = stub.requests.filter(({ route, query }) => !route.startsWith('GET') && query !== 'dryRun=true');
  expect([stub.requests.length > 0, writes]).toEqual([true, []]);
  place.remove();
  await stub.close();
});

test('applies removals to a restored table in order, and reports changes that it cannot apply', async () => {
  const preview: AppliedChange[] = JSON.parse(
    await manage('restored', 'changes', 'apply', file, '--dry-run', '--json'),
  );
  const outcomes: AppliedChange[] = JSON.parse(await manage('restored', 'changes', 'apply', file, '--json'));
  expect(preview.map(({ id, outcome }) => [id, outcome])).toEqual(outcomes.map(({ id, outcome }) => [id, outcome]));
  expect(outcomes.map(({ id }) => id)).toEqual(outcomes.map(({ id }) => id).sort());
  expect(outcomes.map(({ action, subject, outcome }) => `${action} ${subject}: ${outcome}`)).toEqual([
    'access.changed access shop bob: applied',
    'role.revoked role shop ada editor: applied',
    'user.status.changed status zoe: applied',
    'user.created user new: applied',
    'application.created application late: applied',
    'application.updated settings late: applied',
    'role.defined role late editor: applied',
    'role.assigned role late new editor: applied',
    `key.issued key late ${lateKey}: not-applicable`,
    'user.status.changed status new: applied',
    `key.updated label shop ${labelled}: applied`,
    `key.revoked key shop ${revoked}: applied`,
    `key.updated label shop ${revoked}: applied`,
    'connection.updated connection settings gateway: applied',
    'connection.created connection first: applied',
    'connection.updated connection settings first: applied',
    'connection.created connection second: applied',
    'connection.updated connection settings second: applied',
    `key.updated label gateway ${token}: applied`,
    'user.deleted user eve: applied',
  ]);
  const access = JSON.parse(await manage('restored', 'access', 'show', 'bob', 'shop', '--json'));
  const blocked = missing.find(({ reason }) => reason === 'card stolen')?.after;
  expect(access).toMatchObject({ status: 'disabled', reason: 'card stolen', until: blocked?.until });
  expect(JSON.parse(await manage('restored', 'access', 'show', 'ada', 'shop', '--json')).roles).toEqual([]);
  expect(JSON.parse(await manage('restored', 'users', 'show', 'zoe', '--json')).status).toBe('inactive');
  expect(JSON.parse(await manage('restored', 'users', 'show', 'new', '--json')).status).toBe('inactive');
  expect(JSON.parse(await manage('restored', 'apps', 'show', 'late', '--json'))).toMatchObject({
    name: 'Later',
    rolloutPercent: 5,
    requestsPerSecond: 20,
  });
  const { roles } = JSON.parse(await manage('restored', 'access', 'show', 'new', 'late', '--json'));
  expect(roles).toEqual([{ name: 'editor', expiresAt: null }]);
  expect((await run('restored', ['users', 'show', 'eve'])).code).toBe(4);
  expect(await keysIn('restored')).toEqual({
    [labelled]: ['Nightly report', null],
    [revoked]: ['Leaked', expect.any(String)],
  });
  const connection = async (id: string) => JSON.parse(await manage('restored', 'connections', 'show', id, '--json'));
  expect(await connection('gateway')).toMatchObject({ applications: ['shop', 'late'], keys: [{ label: 'nginx' }] });
  expect(await connection('first')).toMatchObject({ name: 'First proxy', applications: ['late'] });
  expect(await connection('second')).toMatchObject({ name: 'Second proxy', applications: ['shop'] });
});

test('a second run applies nothing, and keeps later changes', async () => {
  await manage('restored', 'access', 'set', 'bob', 'shop', 'enabled');
  await manage('restored', 'keys', 'label', 'shop', labelled, 'Weekly report');
  await manage('restored', 'connections', 'update', 'gateway', '--name', 'Edge');
  const preview: AppliedChange[] = JSON.parse(
    await manage('restored', 'changes', 'apply', file, '--dry-run', '--json'),
  );
  const outcomes: AppliedChange[] = JSON.parse(await manage('restored', 'changes', 'apply', file, '--json'));
  expect(preview.map(({ outcome }) => outcome)).toEqual(outcomes.map(({ outcome }) => outcome));
  expect(outcomes.filter(({ outcome }) => outcome === 'applied')).toEqual([]);
  expect(outcomeOf(outcomes, 'access.changed')).toBe('outdated');
  expect(outcomeOf(outcomes, 'key.updated')).toBe('outdated');
  expect(outcomeOf(outcomes, 'connection.updated')).toBe('outdated');
  expect((await keysIn('restored'))[labelled]).toEqual(['Weekly report', null]);
  expect(JSON.parse(await manage('restored', 'access', 'show', 'bob', 'shop', '--json')).status).toBe('enabled');
});

test('a user who was erased after the restore is not created again', async () => {
  await manage('restored', 'users', 'delete', 'new', '--yes');
  const preview = async () => JSON.parse(await manage('restored', 'changes', 'apply', file, '--dry-run', '--json'));
  const outcome = await eventually(
    async () => outcomeOf(await preview(), 'user.created'),
    (each) => each === 'outdated',
  );
  expect(outcome).toBe('outdated');
  await manage('restored', 'changes', 'apply', file);
  expect((await run('restored', ['users', 'show', 'new'])).code).toBe(4);
});

test('names each webhook that it does not restore', async () => {
  const [model] = missing.filter(({ action }) => action === 'role.defined');
  const { role: _, ...change } = { ...model, action: 'webhook.created', before: null, after: null };
  const changes = [
    { ...change, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ1', webhookId: 'orders' },
    { ...change, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ2', webhookId: 'stock' },
  ];
  const place = join(folder, 'webhooks.json');
  writeFileSync(place, JSON.stringify(changes));
  const outcomes: AppliedChange[] = JSON.parse(await manage('restored', 'changes', 'apply', place, '--json'));
  expect(outcomes.map(({ subject, outcome }) => `${subject}: ${outcome}`)).toEqual([
    'webhook late orders: not-applicable',
    'webhook late stock: not-applicable',
  ]);
});

const runs: [what: string, ...more: string[]][] = [['a dry run', '--dry-run'], ['a run']];

test.each(runs)('%s leaves what follows the deletion of a role to the operator', async (_, ...more) => {
  const [defined] = missing.filter(({ action }) => action === 'role.defined');
  const [assigned] = missing.filter(({ action }) => action === 'role.assigned');
  const changes = [
    { ...defined, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ1', action: 'role.deleted', before: defined?.after, after: null },
    { ...defined, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ2' },
    { ...assigned, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ3' },
  ];
  const place = join(folder, 'deleted-role.json');
  writeFileSync(place, JSON.stringify(changes));
  const outcomes: AppliedChange[] = JSON.parse(await manage('restored', 'changes', 'apply', place, '--json', ...more));
  expect(outcomes.map(({ action, outcome }) => `${action}: ${outcome}`)).toEqual([
    'role.deleted: not-applicable',
    'role.defined: not-applicable',
    'role.assigned: not-applicable',
  ]);
});

test.each(runs)('%s creates a user who was erased and created again', async (_, ...more) => {
  await manage('restored', 'users', 'create', `twice${more.length}`);
  const [created] = missing.filter(({ action }) => action === 'user.created');
  const userId = `twice${more.length}`;
  const changes = [
    {
      ...created,
      id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ1',
      action: 'user.deleted',
      userId,
      before: created?.after,
      after: null,
    },
    { ...created, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ2', userId, after: { ...created?.after, displayName: 'Again' } },
  ];
  const place = join(folder, 'twice.json');
  writeFileSync(place, JSON.stringify(changes));
  const outcomes: AppliedChange[] = JSON.parse(await manage('restored', 'changes', 'apply', place, '--json', ...more));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  const { displayName } = JSON.parse(await manage('restored', 'users', 'show', userId, '--json'));
  expect(displayName).toBe(more.length > 0 ? null : 'Again');
});

test('a grant that has expired since is not applied', async () => {
  const [assigned] = missing.filter(({ action }) => action === 'role.assigned');
  const after = { ...assigned?.after, expiresAt: '2026-01-01T00:00:00.000Z' };
  const place = join(folder, 'expired.json');
  writeFileSync(place, JSON.stringify([{ ...assigned, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ1', after }]));
  const [outcome] = JSON.parse(await manage('restored', 'changes', 'apply', place, '--json'));
  expect(outcome).toMatchObject({ outcome: 'expired', detail: 'expired at 2026-01-01T00:00:00.000Z' });
});

test('a dry run reports changes after the erasure of a user as missing, as the run does', async () => {
  await manage('restored', 'users', 'create', 'again');
  const [erasing, status] = ['user.deleted', 'user.status.changed'].map((action) =>
    missing.find((change) => change.action === action),
  );
  const ofAgain = [
    { ...erasing, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ1', userId: 'again' },
    { ...status, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZ2', userId: 'again' },
  ];
  const again = join(folder, 'again.json');
  writeFileSync(again, JSON.stringify(ofAgain));
  for (const more of [['--dry-run'], []]) {
    const outcomes: AppliedChange[] = JSON.parse(
      await manage('restored', 'changes', 'apply', again, '--json', ...more),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'missing']);
  }
});

test.each([
  ['{"id":1}', 'Entry 1 of events is neither a change nor an event with one'],
  [JSON.stringify('{"source":"auth-service.chan'), 'Entry 1 of events is neither a change nor an event with one'],
  ['[{"source":"another","detail":{}}]', 'Entry 1 of events is neither a change'],
  ['not json', 'events is neither a JSON array nor JSON Lines'],
])('a file with %s is refused before anything is sent', (content, message) => {
  expect(() => readChanges(content, 'events')).toThrow(message);
});

test('a file contains changes, or events with changes, as an array or as lines', () => {
  const [first, second] = missing;
  const lines = `${JSON.stringify(second)}\n${JSON.stringify({ source: 'auth-service', detail: first })}\n`;
  expect(readChanges(lines, 'events')).toEqual([first, second]);
});

function outcomeOf(outcomes: readonly AppliedChange[], action: string): string | undefined {
  return outcomes.find((each) => each.action === action)?.outcome;
}

/** The label of each key of the application, and when it was revoked. */
async function keysIn(
  name: string,
): Promise<Record<string, readonly [label: string | null, revokedAt: string | null]>> {
  const { items }: Page<KeyView> = JSON.parse(await manage(name, 'keys', 'list', 'shop', '--json'));
  return Object.fromEntries(items.map(({ keyId, label, revokedAt }) => [keyId, [label, revokedAt]]));
}

async function start(name: string): Promise<RunningStack> {
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  const stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: `auth-service-${name}`, root });
  mkdirSync(join(folder, name, '.local'), { recursive: true });
  const { manageUrl, accessKey } = stack;
  writeFileSync(
    join(folder, name, '.local/example.json'),
    JSON.stringify({ manageUrl, region: 'local', ...accessKey }),
  );
  return stack;
}

/** Restores a table as DynamoDB does: copies its current items to another table. */
async function restore(): Promise<void> {
  const client = documentClient(dynamodb.endpoint);
  for await (const { Items = [] } of paginateScan({ client }, { TableName: 'auth-service-earlier' })) {
    for (const Item of Items) await client.send(new PutCommand({ TableName: 'auth-service-restored', Item }));
  }
}

async function changesIn(name: string): Promise<Change[]> {
  const scan = {
    TableName: `auth-service-${name}`,
    FilterExpression: 'begins_with(#sk, :change)',
    ExpressionAttributeNames: { '#sk': 'sk' },
    ExpressionAttributeValues: { ':change': 'CHANGE#' },
  };
  const found: Change[] = [];
  for await (const { Items = [] } of paginateScan({ client: documentClient(dynamodb.endpoint) }, scan)) {
    found.push(...Items.map((item) => changeOf(item)));
  }
  return found;
}

function run(name: string, args: readonly string[]) {
  return runHere(args, { cwd: join(folder, name) });
}

/** The output of a command that must succeed. */
async function manage(name: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(name, args);
  expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('error:')]);
  return stdout;
}
