import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import type { AppId } from '#shared/contract/fields.ts';
import { assumed, numberingUnits, priceSources, prices } from '../../bench/prices.ts';
import { serviceOperations } from '../../bench/service-operations.ts';
import { endpointSets } from '../../lib/options/endpoint-sets.ts';
import { listSettings } from '../../lib/options/list-settings.ts';
import { settingNames } from '../../lib/settings/given-settings.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { stages } from '../../lib/settings/stages.ts';
import { resourcesOf, synthesizeTemplate } from '../stack/synthesized-stack.ts';
import { eventually } from '../support/eventually.ts';
import { manageClient } from '../support/manage-client.ts';
import { needing } from '../support/needing.ts';
import { type PageReader, readerOf } from '../support/page-reader.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { contextOf } from '../support/stack-context.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import {
  type CostedOperation,
  checkDollars,
  costRow,
  decisionDollars,
  dollarsOf,
  idleRows,
  indexRow,
  loginRow,
  partRows,
  pollingDollars,
  readyMonthDollars,
  waitingDollars,
} from './cost-rows.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The pages whose commands are run one after another, in this order. */
const names = ['deploy', 'settings', 'releases', 'costs', 'capacity', 'restore', 'keys', 'regions', 'operators'];
const page = names.map((name) => read(`docs/operate/${name}.md`)).join('\n');
const commands = blocks('sh');

let service: TestService;
let reader: PageReader;
beforeAll(async () => {
  service = await startBundles();
  reader = await readerOf(service, service.stop);
  // In place of the deployment, which only AWS can show.
  const outputs = { 'AuthService-prod': { ApiUrl: `${service.url}/`, ManageUrl: service.manageUrl } };
  await writeFile(join(reader.folder.path, '.local/outputs.json'), JSON.stringify(outputs));
});
afterAll(() => reader.close());

describe('the commands', () => {
  // The pages follow each other: a key is issued by the first, and rotated by the second, which ends it at once after a leak.
  needing('curl', 'OpenSSL').test('that call the service lead to an answer, and to a new key', async () => {
    const key = { "'<key id>'": `"$(node -p "require('./.local/crm.json').keyId")"` };
    const deployed = (await reader.walk('docs/operate/deploy.md')).map(({ printed }) => printed).join('\n');
    expect(deployed).toMatch(/^\d+ checks in \S+ s: all as expected$/m);
    const answer = JSON.parse(/^\{"userId".*$/m.exec(deployed)?.[0] ?? '');
    expect(answer).toMatchObject({ userId: 'zoe', appId: 'crm', roles: [{ name: 'editor' }] });
    for (const path of ['docs/operate/keys.md', 'docs/operate/capacity.md', 'docs/operate/restore.md']) {
      await reader.walk(path, key);
    }
    const local = (name: string) => readFileSync(join(reader.folder.path, '.local', name), 'utf8');
    expect(local('new-secret.txt')).toMatch(/^svs_/);
    const use = async (name: string) => {
      const options = { key: JSON.parse(local(name)) };
      return (await service.request(['GET', '/api/service/users/zoe/access'], options)).body.code ?? 'accepted';
    };
    expect([await use('crm.json'), await use('rotated.json')]).toEqual(['key_expired', 'accepted']);
  });

  test.each(commands.map((block) => ({ begin: block.split('\n', 1)[0], block })))(
    'the command is valid bash: $begin',
    async ({ block }) => {
      await run('bash', ['-n', '-c', block]);
    },
  );

  test('every setting, output and script that the commands name exists', async () => {
    const text = `${commands.join('\n')}\n${blocks('bash').join('\n')}`;
    const named = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
    const { scripts } = JSON.parse(read('package.json'));
    const backupVaultArn = 'arn:aws:backup:eu-central-1:222233334444:backup-vault:auth-service';
    const outputs = Object.keys((await synthesizeTemplate({ stage: 'prod', backupVaultArn })).Outputs);
    const known = [...settingNames, 'sourceAccount', 'minRetentionDays'];
    expect(named(/ -c (?:auth-service:)?(\w+)=/g).filter((name) => !known.includes(name ?? ''))).toEqual([]);
    expect(named(/\$\(out (\w+)/g).filter((name) => !outputs.includes(name ?? ''))).toEqual([]);
    expect(
      named(/npm (?:run )?(?:-s )?([a-z:-]+)/g).filter((name) => name !== 'ci' && !((name ?? '') in scripts)),
    ).toEqual([]);
  });

  test('synthesis accepts the settings that the pages show', () => {
    const shown = [...page.matchAll(/^```json\n("settings".*?)^```/gms)].map(([, text = '']) =>
      JSON.parse(`{${text}}`),
    );
    expect(shown.length).toBeGreaterThan(3);
    for (const { settings } of shown) {
      for (const region of Object.keys(settings.prod)) {
        const root = new RootConstruct();
        for (const [name, value] of Object.entries(contextOf({ settings, stage: 'prod', region })))
          root.node.setContext(name, value);
        expect(readSettings(root.node)).toMatchObject({ region, stage: stages.prod });
      }
    }
  });
});

test('the table of settings has every setting, and nothing else, with when to change it', () => {
  const [, table = ''] = /^\| setting .*?\n\|[^\n]*\n(.*?)\n\n/ms.exec(page) ?? [];
  const rows = table
    .split('\n')
    .filter((row) => row.startsWith('|'))
    .map((row) => row.split('|').map((cell) => cell.trim()));
  const named = rows.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...settingNames].sort());
  expect(rows.filter(([, , , meaning = '', when = '']) => meaning === '' || when.length < 20)).toEqual([]);
});

test('there are at most 40 settings, and the code says of each when to change it', () => {
  const source = read('lib/settings/given-settings.ts');
  const withoutReason = settingNames.filter(
    (name) => !new RegExp(`/\\*\\* Change it when [^\n]{15,}\\. \\*/\n  (?:readonly )?${name}\\??:`).test(source),
  );
  expect([settingNames.length <= 40, withoutReason]).toEqual([true, []]);
});

describe('the costs', () => {
  const operations: readonly CostedOperation[] = [
    { name: '`GET access`', readUnits: 3, writeUnits: 0, trips: 1, changes: false, isBrief: true },
    { name: '`PUT access`, another status', readUnits: 3, writeUnits: 13, trips: 2, changes: true, isBrief: false },
    { name: '`PUT access`, no change', readUnits: 3, writeUnits: 1, trips: 2, changes: false, isBrief: false },
    { name: '`POST assign`', readUnits: 4, writeUnits: 15, trips: 2, changes: true, isBrief: false },
    { name: '`DELETE revoke`', readUnits: 3, writeUnits: 15, trips: 2, changes: true, isBrief: false },
    { name: '`GET changes`, nothing new', readUnits: 3, writeUnits: 0, trips: 2, changes: false, isBrief: true },
    { name: 'a forged request', readUnits: 0, writeUnits: 0, trips: 0, changes: false, isBrief: false },
  ];
  const access = '/api/service/users/grace/access';
  const put = (status: string) => [['PUT', access], { body: { status } }] as const;
  const role = (name: string) => ({ body: { role: name } });

  test('the costs follow from the request units and the prices', () => {
    expect(rowsOf('operation')).toEqual(operations.map(costRow));
  });

  test('a million GETs cost at most $2.00 in all', () => {
    expect(operations.slice(0, 1).map(({ name }) => name)).toEqual(['`GET access`']);
    expect(Math.max(...operations.slice(0, 1).map(dollarsOf))).toBeLessThanOrEqual(2);
  });

  test('the costs say what a check costs for each user, and what a replica costs a month', () => {
    const text = page.replaceAll(/\s+/g, ' ');
    const check = serviceOperations.find(({ operation }) => operation === 'POST check of 100 users');
    const feed = operations.find(({ name }) => name === '`GET changes`, nothing new');
    if (check === undefined || feed === undefined) throw new Error('The bench does not measure them');
    const dollars = checkDollars(check);
    expect(text).toContain(`$${dollars.toFixed(2)} a million, $${(dollars / 100).toFixed(2)} for each user`);
    const [five, one] = [5, 1].map((seconds) => pollingDollars(feed, seconds).toFixed(2));
    expect(text).toContain(`polls every five seconds: $${five} a month for each process; every second, $${one}.`);
    expect(text).toContain(`would cost $${waitingDollars(feed).toFixed(2)} `);
  });

  test('the costs say what each part of a GET buys, and what a setting adds', () => {
    const rows = rowsOf('part');
    expect(rows.map((row) => `${row.split(' | ', 2).join(' | ')} |`)).toEqual(operations.slice(0, 1).flatMap(partRows));
    for (const row of rows) expect(row.split(' | ')[2]).toMatch(/\w{3}/);
  });

  test('a line of the access log is no longer than assumed', async () => {
    const stack = await synthesizeTemplate({ stage: 'prod', accessLog: 'on' });
    const [stage] = resourcesOf(stack, 'AWS::ApiGatewayV2::Stage').values();
    // The names of the variables stand for their values, most of which are shorter.
    expect(Object(stage?.Properties.AccessLogSettings).Format.length).toBeLessThanOrEqual(assumed.accessLogBytes);
  });

  test('the costs of the indexes span the documented range', () => {
    // The Access in one of them, the Change in both.
    const rows = operations.filter(({ changes }) => changes).map((operation) => indexRow(operation, 3));
    expect(rows.length).toBeGreaterThan(2);
    expect(rowsOf('operation +\\| table')).toEqual(rows);
  });

  test('the costs state their assumptions, their prices and the date of the prices', () => {
    const {
      perMillion,
      lambdaGigabyteSecond,
      provisionedGigabyteSecond,
      logGigabyte,
      transferGigabyte,
      region,
      readOn,
    } = prices;
    const text = page.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`public prices of ${region}, read on ${readOn}`);
    expect(text).toContain(
      `$${perMillion.readRequestUnits} a million read units, $${perMillion.writeRequestUnits} a million write`,
    );
    expect(text).toContain(`$${lambdaGigabyteSecond} a second`);
    expect(text).toContain(
      `${assumed.computeMilliseconds} ms of computing and ${assumed.tripMilliseconds} ms for each round trip`,
    );
    expect(text).toContain(
      `**Logs** $${logGigabyte.toFixed(2)} a GB: ${assumed.briefLogBytes / 1000} KB a read that succeeds (one line), ${assumed.logBytes / 1000} KB any other request (its line and its metrics) and ${assumed.publisherLogBytes / 1000} KB more for the publisher`,
    );
    expect(text).toContain(`about ${assumed.accessLogBytes / 1000} KB of access log`);
    expect(text).toContain(`about ${assumed.systemLogBytes / 1000} KB about each invocation`);
    expect(text).toContain(`a twentieth, $${perMillion.traces.toFixed(2)} a million`);
    expect(text).toContain(`$${readyMonthDollars.toFixed(2)} a month for each environment`);
    expect(text).toContain(`$${provisionedGigabyteSecond.running} instead of $${lambdaGigabyteSecond} a second`);
    expect(text).toContain(`**Transfer** $${transferGigabyte} a GB, ${assumed.answerBytes / 1000} KB an answer`);
    expect(priceSources.length).toBeGreaterThan(5);
  });

  test('the bundles take the request units of the cost table, and log no more than assumed', async () => {
    // A process tries to record the use of the key in up to three requests, and not while it still tries: a request is counted
    // only after that.
    const first = [
      [['GET', access], {}],
      put('disabled'),
      put('enabled'),
      [['POST', '/api/service/roles/grace/assign'], role('viewer')],
      [['DELETE', '/api/service/users/grace/revoke'], role('viewer')],
      [['GET', '/api/service/changes'], {}],
    ] as const;
    const asked = [
      ...Array.from({ length: 6 }, () => first).flat(),
      [['GET', access], {}],
      put('disabled'),
      put('disabled'),
      [['POST', '/api/service/roles/grace/assign'], role('editor')],
      [['DELETE', '/api/service/users/grace/revoke'], role('editor')],
      [['GET', '/api/service/changes'], {}],
      [['GET', access], { signing: { secret: 'svs_guessed' } }],
    ] as const;
    const lines: string[] = [];
    const sizes: number[] = [];
    for (const [[method, target], options] of asked) {
      const read = target.endsWith('/changes') ? `?after=${await endOfChanges()}` : '';
      const before = service.logLines.length;
      const { headers } = await service.request([method, target + read], options);
      const requestId = String(headers['apigw-requestid']);
      lines.push(await lineOf(requestId));
      sizes.push(await bytesSince(before, requestId));
    }
    const counted = lines.slice(-operations.length).map((line) => JSON.parse(line).consumedCapacity);
    expect(counted).toEqual(operations.map(({ readUnits, writeUnits }) => readUnits + writeUnits));
    const allowed = operations.map(({ isBrief }) => (isBrief ? assumed.briefLogBytes : assumed.logBytes));
    const tooLong = sizes.slice(-operations.length).filter((bytes, at) => bytes > (allowed[at] ?? 0));
    expect(tooLong).toEqual([]);
  });

  test('numbering a change takes the units of the cost table', async () => {
    const { trackUsage, currentUsage } = await import('#shared/core/telemetry.ts');
    const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
    const { putItem } = await import('#shared/table/client.ts');
    const { putEntry } = await import('#shared/table/expression.ts');
    const { putPendingEntry } = await import('#shared/table/items/change-item.ts');
    // A feed that the service's own reader of the stream does not know.
    const feed = 'unknown' as AppId;
    const pending = (last: string) =>
      putItem(
        putPendingEntry(feed, {
          id: `01KAGTWWG0000000000000000${last}`,
          action: 'access.changed',
          userId: 'grace',
          at: '2026-07-01T00:00:00.000Z',
          before: null,
          after: null,
        }),
      );
    const units = () => trackUsage(async () => [await numberFeed(feed), currentUsage()?.consumedCapacity] as const);
    // Its counters exist already.
    await putItem(putEntry({ pk: 'OVERVIEW', sk: feed }));
    await pending('0');
    // Without a block, the totals before it are read too. The first number of a thousand is reserved in a transaction, which takes four units for the block and the end of the log.
    expect(await units()).toEqual([1, numberingUnits.read + numberingUnits.write + 4]);
    await pending('1');
    expect(await units()).toEqual([1, numberingUnits.read + numberingUnits.write]);
    await Promise.all([...'23456789ABCDEFGHJKMN'].map(pending));
    // Together they take a block of 2 KB.
    expect(await units()).toEqual([20, numberingUnits.read + 3 + 20]);
  });

  test('a new user takes the units that the page names', async () => {
    const manage = manageClient(() => service);
    // The first read of a process also reads the format of the table.
    await manage('jwt', 'GET', '/users/grace');
    const { headers } = await manage('jwt', 'PUT', '/users/newcomer', { body: { displayName: 'Ada King' } });
    const { consumedCapacity } = JSON.parse(await lineOf(String(headers['apigw-requestid'])));
    // One of them for reading the id. Three words: newcomer, Ada and King.
    expect(consumedCapacity).toBe(1 + 11 + 3 * 2);
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      'A new user costs eleven units, one of an index, and two for each word',
    );
  });

  test('deactivating and activating a user take the units that the page names', async () => {
    const manage = manageClient(() => service);
    await manage('jwt', 'GET', '/users/grace');
    for (const status of ['inactive', 'active']) {
      const { headers } = await manage('jwt', 'PUT', '/users/grace/status', { body: { status } });
      const { consumedCapacity } = JSON.parse(await lineOf(String(headers['apigw-requestid'])));
      // One of them for reading the user.
      expect(consumedCapacity).toBe(1 + 12);
    }
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      'Deactivating or activating a user costs twelve units, two of the indexes',
    );
  });

  test('an idle stack costs what its template says', async () => {
    const everything = {
      ...Object.fromEntries(Object.entries(listSettings).map(([name, values]) => [name, values.join(',')])),
      endpoints: Object.keys(endpointSets).join(','),
      headsBucket: 'authservice-backupvault-heads',
      login: 'on',
    };
    const contexts = [{ stage: 'prod' }, { stage: 'prod', ...everything }, { stage: 'dev' }];
    const templates = await Promise.all(contexts.map(synthesizeTemplate));
    const stacks = templates.map((template) => ({
      alarmMetrics: alarmMetricsOf(template).reduce((sum, count) => sum + count, 0),
      dashboards: resourcesOf(template, 'AWS::CloudWatch::Dashboard').size,
      keys: resourcesOf(template, 'AWS::KMS::Key').size,
      canary: JSON.stringify(template).includes('auth-service: run-canary'),
    }));
    const rows = rowsOf('each month');
    expect(rows.map((each) => `${each.split(' | ', 4).join(' | ')} |`)).toEqual(idleRows(stacks, operations));
    const endpoints = everyEndpoint.length;
    const others = (stacks[0]?.alarmMetrics ?? 0) - 8 * endpoints;
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`${others} and eight for each endpoint of the Service API`);
  });

  test('the login costs what Cognito takes for people, and the decisions before their tokens', () => {
    const people = [1000, 10_000, 100_000];
    const [get] = operations as [CostedOperation, ...CostedOperation[]];
    expect(rowsOf('people who are active within a month')).toEqual(people.map((each) => loginRow(each, get)));
    const text = page.replaceAll(/\s+/g, ' ');
    const { person, freePeople, freeFederatedPeople } = prices.cognito;
    expect(text).toContain(`takes $${person} a month for each active person`);
    expect(text).toContain(`after the first ${freePeople.toLocaleString('en-US')} people of an account`);
    expect(text).toContain(`only ${freeFederatedPeople} are free`);
    expect(text).toContain(`${assumed.decisionsOfPerson.toLocaleString('en-US')} logins and refreshes`);
    expect(text).toContain(`$${decisionDollars(get).toFixed(2)} a million`);
  });

  test('each endpoint costs what its alarms watch, and so do webhooks', async () => {
    const metricsOf = async (context: Readonly<Record<string, string>>) =>
      alarmMetricsOf(await synthesizeTemplate({ stage: 'prod', ...context })).reduce((sum, count) => sum + count, 0);
    const none = await metricsOf({});
    const more = async (context: Readonly<Record<string, string>>) => (await metricsOf(context)) - none;
    const sets = Object.keys(endpointSets);
    const ofBearerEndpoints = await Promise.all(sets.map((set) => more({ endpoints: set })));
    expect(ofBearerEndpoints).toEqual(Object.values(endpointSets).map(({ length }) => 5 * length));
    const monthly = Object.fromEntries(
      sets.map((set, at) => [set, `$${((ofBearerEndpoints[at] ?? 0) / 10).toFixed(2)}`]),
    );
    const text = page.replaceAll(/\s+/g, ' ');
    expect(monthly.scim).toBe(monthly.evaluate);
    expect(text).toContain(`\`evaluate\` and \`scim\` ${monthly.evaluate} each, and \`hooks\` ${monthly.hooks}`);
    const ofWebhooks = await more({ webhooks: 'standard' });
    expect(text).toContain(`watch ${ofWebhooks} metrics, $${(ofWebhooks / 10).toFixed(2)} a month`);
    const ofLogin = await more({ login: 'on' });
    expect(text).toContain(`both functions watch ${ofLogin} metrics, $${(ofLogin / 10).toFixed(2)} a month`);
  });
});

test('a restored table gets every setting of the table that a restore leaves out', async () => {
  const [table] = resourcesOf(await synthesizeTemplate({ stage: 'prod' }), 'AWS::DynamoDB::GlobalTable').values();
  const { Replicas, ...properties } = Object(table?.Properties) as { Replicas: [object] };
  /** The command that sets it; undefined for what a restore keeps (DynamoDB guide, "Point-in-time backups"). */
  const commands: Readonly<Record<string, string | undefined>> = {
    AttributeDefinitions: undefined,
    BillingMode: undefined,
    GlobalSecondaryIndexes: undefined,
    KeySchema: undefined,
    SSESpecification: undefined,
    Region: undefined,
    StreamSpecification: '--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES',
    TimeToLiveSpecification: '--time-to-live-specification Enabled=true,AttributeName=ttl',
    DeletionProtectionEnabled: '--deletion-protection-enabled',
    PointInTimeRecoverySpecification: '--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    ContributorInsightsSpecification: '--contributor-insights-action ENABLE --contributor-insights-mode THROTTLED_KEYS',
    Tags: 'aws dynamodb tag-resource',
  };
  const names = [...Object.keys(properties), ...Object.keys(Replicas[0])];
  expect(names.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
  const text = read('docs/operate/restore.md');
  const missing = names.filter((name) => commands[name] !== undefined && !text.includes(commands[name]));
  expect(missing).toEqual([]);
});

test('the decision about stages states their names and retention', () => {
  const text = read('docs/decisions/0010-stages.md');
  for (const { stackName, serviceName } of Object.values(stages)) {
    expect(text).toContain(`\`${stackName}\``);
    expect(text).toContain(`\`${serviceName}\``);
  }
  const days = Object.values(stages).map(({ changeRetentionDays }) => `${changeRetentionDays} days`);
  expect(text.replaceAll(/ +/g, ' ')).toContain(`| ${days.join(' | ')} |`);
});

/** The cursor after all changes, once each has its number: what has been read until then is not read again. */
async function endOfChanges(): Promise<string> {
  let after = '';
  const read = async () => {
    const { body } = await service.request(['GET', `/api/service/changes?limit=100${after}`]);
    after = `&after=${body.cursor}`;
    return body;
  };
  const { cursor } = await eventually(read, ({ pending, more }) => pending === 0 && !more);
  return cursor;
}

/** The number of metrics that each alarm watches. */
function alarmMetricsOf(template: Awaited<ReturnType<typeof synthesizeTemplate>>): number[] {
  const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()];
  return alarms.map(({ Properties: { Metrics } }) =>
    Metrics === undefined ? 1 : (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat).length,
  );
}

/** The rows of the page's table whose first column has this head. */
function rowsOf(head: string): string[] {
  const [, table = ''] = new RegExp(`^\\| ${head} .*?\\n\\|[^\\n]*\\n(.*?)\\n\\n`, 'ms').exec(page) ?? [];
  return table.split('\n').map((row) => row.replaceAll(/ +/g, ' '));
}

/** The line about a request, which is written once it is answered. */
async function lineOf(requestId: string): Promise<string> {
  const isIt = (line: string) => line.includes('"message":"request"') && line.includes(requestId);
  return eventually(async () => service.logLines.find(isIt) ?? '', isIt);
}

/**
 * The bytes that the functions have written about the only request since then: its line and the metrics of its route. An
 * answer comes before the lines do, so the request after it is told apart by its id.
 */
async function bytesSince(before: number, requestId: string): Promise<number> {
  const about = (line: string) => line.includes(requestId) || (line.startsWith('{"_aws"') && line.includes('"route"'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const written = service.logLines.slice(before).filter(about);
  return written.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** The fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
}
