import {
  BatchGetDeploymentTargetsCommand,
  GetDeploymentCommand,
  ListDeploymentsCommand,
  ListDeploymentTargetsCommand,
} from '@aws-sdk/client-codedeploy';
import { GetAliasCommand, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { brokenDescription } from './broken-version.ts';
import { alarmState } from './metric-sums.ts';
import { ask, type Facts, type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { CommandError } from './run-command.ts';
import { deploy, deployBroken, secondsSince } from './stage-deployment.ts';
import { describeStatuses, whileReading, withApplication } from './trial-application.ts';

const codeDeploy = 'CodeDeploy: aliases move at once, without a hook';
const brokenCommand = "cdk deploy --app 'node smoke/prove/broken-app.ts' (get-access throws)";

export const checkedReleaseStep: ProofStep = {
  name: 'checked-release',
  title: 'release a version that throws, with the check of releases',
  proves: ['release-hook'],
  commands: [brokenCommand, 'aws deploy list-deployments, get-deployment'],
  expects: 'BeforeAllowTraffic fails, the deployment is rolled back, and the alias has never pointed to the version',
  timeoutMinutes: 60,
  emulationLacks: codeDeploy,
  async run(context) {
    const { before, startedAt } = await prepare(context);
    await requireRefusal(context);
    const failed = (await deploymentsSince(context, startedAt)).filter(({ hook }) => hook === 'Failed');
    if (failed.length === 0) throw new Error('no deployment failed in BeforeAllowTraffic');
    const sentTraffic = failed.filter(({ traffic }) => traffic === 'Succeeded');
    if (sentTraffic.length > 0) throw new Error(`${sentTraffic[0]?.id} sent traffic to the version`);
    return {
      ...(await afterRollback(context, before)),
      deployments: failed.map(describe),
      seconds: secondsSince(+startedAt),
    };
  },
  cleanUp: repair,
};

export const watchedReleaseStep: ProofStep = {
  name: 'watched-release',
  title: 'release a version that throws without the check, and send it a request each second',
  proves: ['alarm-rollback'],
  commands: [
    'npm run deploy -- -c stage=<stage> -c release=canary -c canary=off',
    `${brokenCommand} -c canary=off`,
    'GET /api/service/users/<user>/access each second',
    'npm run deploy -- -c stage=<stage> -c release=canary -c canary=on',
  ],
  expects:
    'CodeDeploy stops the deployment because of the errors of get-access, and the alias points to the earlier version',
  timeoutMinutes: 90,
  emulationLacks: codeDeploy,
  async run(context) {
    await prepare(context);
    await deploy(context, { canary: 'off' });
    const { before, startedAt } = await prepare(context);
    const { statuses } = await withApplication(context, (app) =>
      whileReading(app, () => requireRefusal(context, { canary: 'off' })),
    );
    const stopped = (await deploymentsSince(context, startedAt)).filter(({ error }) => error.includes('ALARM_ACTIVE'));
    if (stopped.length === 0) throw new Error('no deployment was stopped by an alarm');
    const facts = await afterRollback(context, before);
    await waitFor(context, { what: 'the end of the errors of get-access', minutes: 15, every: 15 }, async () =>
      (await alarmState(context, 'errors', 'get-access')) === 'ALARM' ? undefined : true,
    );
    const seconds = secondsSince(+startedAt);
    await deploy(context);
    return { ...facts, deployments: stopped.map(describe), answers: describeStatuses(statuses), seconds };
  },
  cleanUp: repair,
};

interface Deployment {
  readonly id: string;
  readonly status: string;
  /** The code of its error, such as `ALARM_ACTIVE`. */
  readonly error: string;
  /** The status of BeforeAllowTraffic. */
  readonly hook: string;
  /** The status of AllowTraffic. */
  readonly traffic: string;
}

function describe({ id, status, error, hook, traffic }: Deployment): string {
  return `${id} ${status} ${error}, BeforeAllowTraffic ${hook}, AllowTraffic ${traffic}`;
}

/** Before anything is broken: nothing releases a version but CodeDeploy, which must be there. */
async function prepare(context: ProofContext) {
  const startedAt = new Date();
  await ask(context, "CodeDeploy's ListDeployments", () => deploymentsSince(context, startedAt));
  return { before: await liveVersion(context), startedAt };
}

/** A deployment must fail; one that succeeds has released the broken version. */
async function requireRefusal(context: ProofContext, changes: Readonly<Record<string, string>> = {}): Promise<void> {
  try {
    await deployBroken(context, changes);
  } catch (error) {
    if (error instanceof CommandError) return;
    throw error;
  }
  throw new Error('the deployment of a version that throws succeeded');
}

async function afterRollback(context: ProofContext, before: string): Promise<Facts> {
  const status = (await context.account.findStack())?.StackStatus ?? 'none';
  const version = await liveVersion(context);
  if (status !== 'UPDATE_ROLLBACK_COMPLETE') throw new Error(`the stack is ${status}`);
  if (version !== before) throw new Error(`the alias points to version ${version}, before to ${before}`);
  return { status, version };
}

async function liveVersion({ account }: ProofContext): Promise<string> {
  const fn = await account.resource('AWS::Lambda::Function', 'GetAccessFunction');
  const { FunctionVersion, RoutingConfig } = await account.lambda.send(
    new GetAliasCommand({ FunctionName: fn, Name: 'live' }),
  );
  const weights = Object.entries(RoutingConfig?.AdditionalVersionWeights ?? {}).map(
    ([version, weight]) => `${version}=${weight}`,
  );
  return [FunctionVersion, ...weights].join(', ');
}

/** The deployments of the stack's groups since a time. */
async function deploymentsSince({ account }: ProofContext, since: Date): Promise<Deployment[]> {
  const applicationName = await account.resource('AWS::CodeDeploy::Application', 'CanaryRelease');
  const groups = await account.resources('AWS::CodeDeploy::DeploymentGroup');
  const found: Deployment[] = [];
  for (const { physicalId } of groups) {
    const { deployments = [] } = await account.codeDeploy.send(
      new ListDeploymentsCommand({
        applicationName,
        deploymentGroupName: physicalId,
        createTimeRange: { start: since },
      }),
    );
    for (const id of deployments) found.push(await readDeployment(account, id));
  }
  return found;
}

async function readDeployment({ codeDeploy: client }: ProofContext['account'], id: string): Promise<Deployment> {
  const deploymentId = { deploymentId: id };
  const { deploymentInfo } = await client.send(new GetDeploymentCommand(deploymentId));
  const { targetIds = [] } = await client.send(new ListDeploymentTargetsCommand(deploymentId));
  const { deploymentTargets = [] } =
    targetIds.length === 0
      ? {}
      : await client.send(new BatchGetDeploymentTargetsCommand({ ...deploymentId, targetIds }));
  const events = deploymentTargets.flatMap(({ lambdaTarget }) => lambdaTarget?.lifecycleEvents ?? []);
  const statusOf = (name: string) =>
    events.find(({ lifecycleEventName }) => lifecycleEventName === name)?.status ?? 'none';
  return {
    id,
    status: deploymentInfo?.status ?? 'unknown',
    error: deploymentInfo?.errorInformation?.code ?? 'no error',
    hook: statusOf('BeforeAllowTraffic'),
    traffic: statusOf('AllowTraffic'),
  };
}

/** If the broken version is live in spite of everything: releases a good one at once, which no alarm refuses. */
async function repair(context: ProofContext): Promise<void> {
  const fn = await context.account.resource('AWS::Lambda::Function', 'GetAccessFunction');
  const { Description } = await context.account.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: fn, Qualifier: 'live' }),
  );
  if (Description === brokenDescription) await deploy(context, { release: 'at-once' });
}
