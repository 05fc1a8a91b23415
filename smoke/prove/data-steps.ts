import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  TransactWriteItemsCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { deleteTable } from './deployment-steps.ts';
import { missing, type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { deploy, deployedData, manage, secondsSince, smokeTest } from './stage-deployment.ts';
import { describeStatuses, whileReading, withApplication } from './trial-application.ts';

export const indexUnitsStep: ProofStep = {
  name: 'index-units',
  title: 'write two items with index keys in a transaction, and read what it consumed',
  proves: ['index-units'],
  commands: ['aws dynamodb transact-write-items --return-consumed-capacity INDEXES'],
  expects: 'four units of the table, and two or four of the index: the evidence says which',
  timeoutMinutes: 5,
  emulationLacks: "AWS's accounting",
  async run({ account, isEmulated }) {
    const TableName = await account.output('TableName');
    const { ConsumedCapacity = [] } = await account.dynamoDb.send(
      new TransactWriteItemsCommand({
        ReturnConsumedCapacity: 'INDEXES',
        TransactItems: probeKeys.map((key) => ({
          Put: { TableName, Item: { ...key, gsi1pk: key.pk, gsi1sk: key.sk } },
        })),
      }),
    );
    const [consumed] = ConsumedCapacity;
    const units = consumed?.GlobalSecondaryIndexes?.gsi1?.CapacityUnits;
    if (units === undefined) throw missing(isEmulated, 'the answer has no units of the index');
    const each = units / probeKeys.length;
    if (each !== 1 && each !== 2) throw new Error(`the index took ${each} units for each item`);
    return { tableUnits: consumed?.Table?.CapacityUnits ?? 0, indexUnits: units, indexUnitsForEachItem: each };
  },
  async cleanUp({ account }) {
    const deletions = probeKeys.map((Key) => ({ DeleteRequest: { Key } }));
    await account.dynamoDb.send(
      new BatchWriteItemCommand({ RequestItems: { [await account.output('TableName')]: deletions } }),
    );
  },
};

/** Outside of every key shape of the service. */
const probeKeys = ['1', '2'].map((sk) => ({ pk: { S: 'PROVE' }, sk: { S: sk } }));

export const restoreStep: ProofStep = {
  name: 'restore',
  title: 'restore the table to a second, release the restored table, and remove the earlier one',
  proves: ['restored-table'],
  commands: [
    'aws dynamodb restore-table-to-point-in-time, update-table, update-time-to-live, update-continuous-backups, tag-resource',
    'npm run deploy -- -c stage=<stage> -c tableStreamArn=<its stream> -c release=at-once --confirm-change table',
    'npm run -s smoke',
    'npm run deploy -- -c stage=<stage>',
  ],
  expects: 'a user created before that second exists in it, and the smoke test passes on it',
  timeoutMinutes: 240,
  emulationLacks: 'its point-in-time recovery',
  run: (context) =>
    withApplication(context, async ({ userId, manage: client }) => {
      const startedAt = Date.now();
      const [source, target] = await tableNames(context);
      await restoreTo(context, { source, target, at: new Date() });
      const restoreSeconds = secondsSince(startedAt);
      const stream = await completeSettings(context, { source, target });
      const release = ['--confirm-change', 'table'];
      const releaseSeconds = await deploy(context, { tableStreamArn: stream, release: 'at-once' }, release);
      await client.call('get-user', { path: { userId } });
      const smoke = await smokeTest(context);
      const narrowSeconds = await deploy(context);
      return { table: target, restoreSeconds, releaseSeconds, narrowSeconds, user: userId, smoke };
    }),
  /** Deletes the restored table if the stack does not use it; otherwise the last step does. */
  async cleanUp(context) {
    const { table } = await deployedData(context);
    const [source, target] = await tableNames(context);
    if (table === 'own' && target !== source) await deleteTable(context, target);
  },
};

/** The stack's table, and the name of the restored one, which must begin with the same. */
async function tableNames({ account }: ProofContext): Promise<readonly [source: string, target: string]> {
  const source = await account.output('TableName');
  return [source, source.endsWith('-restored') ? source : `${source}-restored`];
}

interface Restored {
  readonly source: string;
  readonly target: string;
}

async function restoreTo(context: ProofContext, { source, target, at }: Restored & { readonly at: Date }) {
  const { dynamoDb } = context.account;
  await waitFor(
    context,
    { what: `a restorable second after ${at.toISOString()}`, minutes: 30, every: 15 },
    async () => {
      const { ContinuousBackupsDescription } = await dynamoDb.send(
        new DescribeContinuousBackupsCommand({ TableName: source }),
      );
      const latest = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
      return latest !== undefined && latest >= at ? latest : undefined;
    },
  );
  const names = { SourceTableName: source, TargetTableName: target };
  await dynamoDb.send(new RestoreTableToPointInTimeCommand({ ...names, RestoreDateTime: at }));
  const table = await waitForTable(context, target, 180);
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName = '' }) => IndexName);
  if (indexes.join() !== 'gsi1')
    throw missing(context.isEmulated, `the restored table has the indexes [${indexes}], not gsi1`);
}

/** Step 2 of docs/operate/restore.md, without the protection that would keep the table; returns the ARN of the stream. */
async function completeSettings(context: ProofContext, { source, target }: Restored): Promise<string> {
  const { dynamoDb } = context.account;
  const TableName = target;
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  await dynamoDb.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  const { TableArn = '', LatestStreamArn = '' } = await waitForTable(context, target, 10);
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  await dynamoDb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await dynamoDb.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: source }));
  const { Tags = [] } = await dynamoDb.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  const own = Tags.filter(({ Key }) => !Key?.startsWith('aws:'));
  if (own.length > 0) await dynamoDb.send(new TagResourceCommand({ ResourceArn: TableArn, Tags: own }));
  return LatestStreamArn;
}

async function waitForTable(context: ProofContext, TableName: string, minutes: number): Promise<TableDescription> {
  return waitFor(context, { what: `the table ${TableName}`, minutes, every: 10 }, async () => {
    const { Table } = await context.account.dynamoDb.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus === 'ACTIVE' ? Table : undefined;
  });
}

export const rootsStep: ProofStep = {
  name: 'roots',
  title: 'add a root, rotate every key to it, and end the first, with a request each second',
  proves: ['root-release'],
  commands: [
    'npm run deploy -- -c stage=<stage> -c rootKeys=k1,k2',
    'npm run -s manage -- keys rotate-all --root k1 --overlap 1h',
    'npm run deploy -- -c stage=<stage> -c rootKeys=k2 --confirm-change rootKeys',
    'npm run deploy -- -c stage=<stage>',
    'npm run -s smoke',
  ],
  expects: 'the key of the first root answers 200 throughout the release of the second, and 401 after its end',
  timeoutMinutes: 120,
  emulationLacks: 'IAM and CodeDeploy: no policy takes time to apply, and aliases move at once',
  run: (context) =>
    withApplication(context, async (app) => {
      const { rootKeys } = await deployedData(context);
      const [first = 'k1'] = rootKeys;
      const second = `k${Number(first.slice(1)) + 1}`;
      const added = await whileReading(app, () => deploy(context, { rootKeys: `${first},${second}` }));
      const failures = Object.keys(added.statuses).filter((status) => status !== '200');
      if (failures.length > 0) throw new Error(`during the release: ${describeStatuses(added.statuses)}`);
      const { rotated, newKey } = await rotateAll(context, first, app.appId);
      const ending = await deploy(context, { rootKeys: second }, ['--confirm-change', 'rootKeys']);
      const narrowing = await deploy(context);
      const afterwards = await app.readAccess();
      if (afterwards !== 401) throw new Error(`a key of ${first} is answered ${afterwards} after its end`);
      const withNewKey = await app.readAccess(newKey);
      if (withNewKey !== 200) throw new Error(`a key of ${second} is answered ${withNewKey}`);
      return {
        root: `${first} to ${second}`,
        answers: describeStatuses(added.statuses),
        rotated,
        secondsToAdd: added.result,
        secondsToEnd: ending + narrowing,
        afterwards,
        withNewKey,
        smoke: await smokeTest(context),
      };
    }),
};

/** Rotates every key of a root; returns how many, and the new one of an application. No secret stays on the disk. */
async function rotateAll(context: ProofContext, root: string, appId: string) {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-prove-'));
  try {
    const out = join(folder, 'keys');
    const args = ['keys', 'rotate-all', '--root', root, '--overlap', '1h', '--out', out, '--yes'];
    const { rotated } = v.parse(v.object({ rotated: v.number() }), await manage(context, args));
    const [file = ''] = readdirSync(join(out, appId));
    const newKey = v.parse(keySchema, JSON.parse(readFileSync(join(out, appId, file), 'utf8')));
    return { rotated, newKey };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const keySchema = v.object({ keyId: v.string(), secret: v.string() });
