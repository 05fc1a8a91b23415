import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { deleteTable } from './deployment-steps.ts';
import { missing, type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { deploy, deployedData, requireAnswer, secondsSince, smokeTest } from './stage-deployment.ts';
import { withApplication } from './trial-application.ts';

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
      await requireAnswer(context);
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
