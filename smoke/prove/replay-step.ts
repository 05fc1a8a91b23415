import {
  CreateLogGroupCommand,
  DeleteLogGroupCommand,
  DeleteResourcePolicyCommand,
  FilterLogEventsCommand,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteRuleCommand,
  DescribeEventBusCommand,
  DescribeReplayCommand,
  ListArchivesCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { changeEventSource } from '#shared/contract/change.ts';
import { ask, type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { withApplication } from './trial-application.ts';

const groupOf = ({ account }: ProofContext) => `/aws/events/${account.stackName}-prove`;
const ruleOf = ({ account }: ProofContext) => `${account.stackName}-prove`;

/** Step 4 of docs/operate/restore.md: an archive has an event some minutes after it was published. */
export const replayStep: ProofStep = {
  name: 'replay',
  title: 'replay events of the archive into a log group',
  proves: ['replay-rule'],
  commands: [
    'aws logs create-log-group, put-resource-policy',
    'aws events put-rule, put-targets, start-replay, describe-replay',
    'aws logs filter-log-events',
  ],
  expects: 'the log group has the events',
  timeoutMinutes: 60,
  emulationLacks: 'a log group as the target of a rule',
  async run(context) {
    const since = new Date();
    const userId = await withApplication(context, async (app) => app.userId);
    await waitTenMinutes(context);
    const replay = `${ruleOf(context)}-${since.getTime()}`;
    await createTarget(context, replay);
    await startReplay(context, replay, since);
    const events = await waitFor(context, { what: `the events of the replay ${replay}`, minutes: 15, every: 15 }, () =>
      eventsIn(context, userId),
    );
    return { replay, events };
  },
  async cleanUp(context) {
    const { events, logs } = context.account;
    const EventBusName = await context.account.output('EventBusName');
    const steps = [
      () => events.send(new RemoveTargetsCommand({ Rule: ruleOf(context), EventBusName, Ids: ['log'] })),
      () => events.send(new DeleteRuleCommand({ Name: ruleOf(context), EventBusName })),
      () => logs.send(new DeleteLogGroupCommand({ logGroupName: groupOf(context) })),
      () => logs.send(new DeleteResourcePolicyCommand({ policyName: ruleOf(context) })),
    ];
    for (const remove of steps) await ask(context, 'a deletion', () => ignoreMissing(remove));
  },
};

/** The archive gets events with a delay that AWS does not state; ten minutes, as the page says. */
async function waitTenMinutes({ isEmulated, signal }: ProofContext): Promise<void> {
  const end = Date.now() + (isEmulated ? 2_000 : 600_000);
  while (Date.now() < end) {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => setTimeout(resolve, 1000));
  }
}

async function createTarget(context: ProofContext, replay: string): Promise<void> {
  const { events, logs } = context.account;
  const group = groupOf(context);
  const EventBusName = await context.account.output('EventBusName');
  const [, partition, , region, account] = (await busArn(context)).split(':');
  const Arn = `arn:${partition}:logs:${region}:${account}:log-group:${group}`;
  await logs.send(new CreateLogGroupCommand({ logGroupName: group }));
  const policyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: ['events.amazonaws.com', 'delivery.logs.amazonaws.com'] },
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: `${Arn}:*`,
      },
    ],
  });
  await ask(context, 'PutResourcePolicy', () =>
    logs.send(new PutResourcePolicyCommand({ policyName: ruleOf(context), policyDocument })),
  );
  const EventPattern = JSON.stringify({ source: [changeEventSource], 'replay-name': [replay] });
  await events.send(new PutRuleCommand({ Name: ruleOf(context), EventBusName, EventPattern }));
  await events.send(new PutTargetsCommand({ Rule: ruleOf(context), EventBusName, Targets: [{ Id: 'log', Arn }] }));
}

async function startReplay(context: ProofContext, name: string, since: Date): Promise<void> {
  const { events } = context.account;
  const bus = await busArn(context);
  const { Archives = [] } = await events.send(new ListArchivesCommand({ EventSourceArn: bus }));
  const rule = `${bus.replace(':event-bus/', ':rule/')}/${ruleOf(context)}`;
  await ask(context, 'StartReplay', () =>
    events.send(
      new StartReplayCommand({
        ReplayName: name,
        EventSourceArn: bus.replace(/event-bus\/.*/, `archive/${Archives[0]?.ArchiveName}`),
        EventStartTime: since,
        EventEndTime: new Date(),
        Destination: { Arn: bus, FilterArns: [rule] },
      }),
    ),
  );
  await waitFor(context, { what: `the end of the replay ${name}`, minutes: 30, every: 15 }, async () => {
    const { State, StateReason } = await events.send(new DescribeReplayCommand({ ReplayName: name }));
    if (State === 'FAILED') throw new Error(`the replay failed: ${StateReason}`);
    return State === 'COMPLETED' ? true : undefined;
  });
}

async function busArn({ account }: ProofContext): Promise<string> {
  const { Arn = '' } = await account.events.send(
    new DescribeEventBusCommand({ Name: await account.output('EventBusName') }),
  );
  return Arn;
}

/** How many replayed events there are, once one of them is of this user. */
async function eventsIn(context: ProofContext, userId: string): Promise<number | undefined> {
  const { events = [] } = await context.account.logs.send(
    new FilterLogEventsCommand({ logGroupName: groupOf(context) }),
  );
  return events.some(({ message }) => message?.includes(userId)) ? events.length : undefined;
}

async function ignoreMissing(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error;
  }
}
