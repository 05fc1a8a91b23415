import { InvokeCommand, ListVersionsByFunctionCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { metricNamespace } from '#shared/contract/metrics.ts';
import { alarmState, errorValues, sumOf, sumsByMinute } from './metric-sums.ts';
import { ask, type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { secondsSince } from './stage-deployment.ts';

const invocations = 20;
const minute = 60_000;

export const eventsStep: ProofStep = {
  name: 'events',
  title: 'let the canary make changes, and count the published ones',
  proves: ['stream-filters'],
  commands: ['aws cloudwatch get-metric-statistics (ChangesPublished)'],
  expects: 'ChangesPublished is at least 1 in each of five minutes',
  timeoutMinutes: 20,
  emulationLacks: 'metrics from logs',
  async run(context) {
    const since = new Date();
    const metric = {
      namespace: metricNamespace,
      name: 'ChangesPublished',
      dimensions: { service: context.stage.serviceName },
      since,
    };
    const sums = await waitFor(
      context,
      { what: 'five minutes with ChangesPublished', minutes: 15, every: 20 },
      async () => {
        const found = await sumsByMinute(context.account, metric);
        return found.length >= 5 ? found : undefined;
      },
    );
    const minutes = (Date.now() - since.getTime()) / minute;
    // The first and the last minute are not complete, and CloudWatch is up to two minutes behind.
    if (sums.length < minutes - 4) throw new Error(`${sums.length} of ${minutes.toFixed(0)} minutes have changes`);
    return { publishedByMinute: sums.map(String) };
  },
};

/** Its state would not say: an alarm without data is OK too. */
export const alarmDataStep: ProofStep = {
  name: 'alarm-data',
  title: 'compute what the alarm of failures watches, while nothing fails',
  proves: ['metric-math'],
  commands: ['aws cloudwatch describe-alarms, get-metric-data (errors of get-access)'],
  expects: 'a value of 0 for each minute, although the metrics of failures have no data',
  timeoutMinutes: 20,
  emulationLacks: 'metric math',
  async run(context) {
    const since = new Date();
    const values = await waitFor(
      context,
      { what: 'five values of the errors of get-access', minutes: 15, every: 20 },
      async () => {
        const found = await errorValues(context, 'get-access', since);
        return found.length >= 5 ? found : undefined;
      },
    );
    if (values.some((value) => value !== 0)) throw new Error(`the values are ${values.join(', ')}`);
    return { values: values.map(String), state: await alarmState(context, 'errors', 'get-access') };
  },
};

/** `revoke-role`, which the canary does not call. */
export const versionMetricsStep: ProofStep = {
  name: 'version-metrics',
  title: 'invoke a version by its number, and read the metrics of the alias',
  proves: ['alias-metrics'],
  commands: [
    'aws lambda invoke --qualifier <version>',
    'aws cloudwatch get-metric-statistics (Invocations by Resource)',
  ],
  expects: `${invocations} invocations of the version, none of the alias`,
  timeoutMinutes: 15,
  emulationLacks: 'metrics of versions and aliases',
  async run(context) {
    const { account } = context;
    const fn = await account.resource('AWS::Lambda::Function', 'RevokeRoleFunction');
    const { Versions = [] } = await ask(context, 'ListVersionsByFunction', () =>
      account.lambda.send(new ListVersionsByFunctionCommand({ FunctionName: fn })),
    );
    const version = Versions.map(({ Version = '' }) => Version).findLast((one) => one !== '$LATEST');
    if (version === undefined) throw new Error(`${fn} has no versions`);
    const since = new Date(Date.now() - minute);
    for (let sent = 0; sent < invocations; sent++) {
      await account.lambda.send(
        new InvokeCommand({ FunctionName: fn, Qualifier: version, Payload: Buffer.from('{}') }),
      );
    }
    const sum = (resource: string) =>
      sumOf(account, {
        namespace: 'AWS/Lambda',
        name: 'Invocations',
        dimensions: { FunctionName: fn, Resource: `${fn}:${resource}` },
        since,
      });
    const ofVersion = await waitFor(
      context,
      { what: `Invocations of ${fn}:${version}`, minutes: 8, every: 15 },
      async () => {
        const found = await sum(version);
        return found !== undefined && found >= invocations ? found : undefined;
      },
    );
    const ofAlias = (await sum('live')) ?? 0;
    if (ofAlias >= invocations) throw new Error(`the alias counts ${ofAlias} invocations too`);
    return { version, ofVersion, ofAlias };
  },
};

export const eventsStoppedStep: ProofStep = {
  name: 'events-stopped',
  title: "disable the publisher's mapping, and wait for the alarm",
  proves: ['missing-data'],
  commands: ['aws lambda update-event-source-mapping --no-enabled', 'aws cloudwatch describe-alarms (events-stopped)'],
  expects: 'events-stopped starts within five minutes',
  timeoutMinutes: 20,
  emulationLacks: 'metric math',
  async run(context) {
    await alarmState(context, 'events-stopped');
    await waitForAlarm(context, 'OK', 10);
    await enableMapping(context, false);
    const startedAt = Date.now();
    await waitForAlarm(context, 'ALARM', 10);
    const seconds = secondsSince(startedAt);
    // One minute more, in which the mapping stops and the state is read.
    if (seconds > 6 * 60) throw new Error(`events-stopped started after ${seconds} s`);
    return { 'events-stopped': 'ALARM', seconds };
  },
  cleanUp: (context) => enableMapping(context, true),
};

async function waitForAlarm(context: ProofContext, state: string, minutes: number): Promise<void> {
  await waitFor(context, { what: `the state ${state} of events-stopped`, minutes, every: 10 }, async () =>
    (await alarmState(context, 'events-stopped')) === state ? true : undefined,
  );
}

async function enableMapping({ account }: ProofContext, isEnabled: boolean): Promise<void> {
  // `ChangeEventsNumberStream` is that of the other reader.
  const mappings = await account.resources('AWS::Lambda::EventSourceMapping', 'ChangeEventsStream');
  for (const { physicalId } of mappings) {
    await account.lambda.send(new UpdateEventSourceMappingCommand({ UUID: physicalId, Enabled: isEnabled }));
  }
}
