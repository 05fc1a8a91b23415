import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { exampleRequest } from '#shared/contract/documents.ts';
import { metricNames } from '#shared/contract/metrics.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { savedQueries } from '../../lib/monitoring/saved-queries.ts';
import { eventually } from '../support/eventually.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { freshNonce, type RequestOptions } from '../support/send-request.ts';
import { serviceRequest } from '../support/service-request.ts';
import { type Publishing, startPublishing } from '../support/start-publishing.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

type Line = Record<string, unknown>;
/** Words of the language of Logs Insights, besides its commands and functions. */
const queryWords = ['and', 'as', 'by', 'desc'];

const access = '/api/service/users/ada/access';

let service: TestService;
let publishing: Publishing;
let seen = 0;
beforeAll(async () => {
  service = await startBundles();
  publishing = await startPublishing(service);
  // The first use of a key in a process is recorded, once a day.
  for (const method of ['GET', 'PUT']) await service.request([method, access], bodyFor(method));
  await logged({ requests: 2, metrics: 1 });
});
afterAll(async () => {
  await publishing.stop();
  await service.stop();
});
beforeEach(() => {
  seen = service.logLines.length;
});

const bodyFor = (method: string): RequestOptions => (method === 'PUT' ? { body: { status: 'enabled' } } : {});
const parsed = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);

const metricsOfRequests = (lines: readonly Line[]) =>
  lines.filter((line) => '_aws' in line && ('route' in line || 'api' in line || 'CanaryRequests' in line));

/**
 * Waits for this many log lines of each kind for the requests of this test. The stack's own publisher logs other
 * metrics in between, whenever it has read the stream.
 */
async function logged(least: { readonly requests: number; readonly metrics: number }) {
  const read = async () => {
    const lines = parsed(service.logLines.slice(seen));
    return { requests: lines.filter(({ message }) => message === 'request'), metrics: metricsOfRequests(lines) };
  };
  return eventually(
    read,
    ({ requests, metrics }) => requests.length >= least.requests && metrics.length >= least.metrics,
  );
}

/** Returns the names of a line's metrics, and its dimensions. */
function declaredBy(line: Line) {
  const { CloudWatchMetrics } = line._aws as {
    CloudWatchMetrics: [{ Namespace: string; Dimensions: string[][]; Metrics: { Name: string; Unit: string }[] }];
  };
  const [{ Namespace, Dimensions, Metrics }] = CloudWatchMetrics;
  return { Namespace, dimensions: Dimensions, names: Metrics.map(({ Name }) => Name) };
}

describe('a request', () => {
  const reads = Object.values<ServiceOperation>(serviceOperations).filter(({ writes }) => !writes);
  test.each(reads)('a read that succeeds is one short line and no metrics: $name', async (read) => {
    const route = read.name;
    const { method, target, ...options } = serviceRequest(read, exampleRequest(read, 'ada'));
    const ask = () => service.request([method, target], options);
    await ask();
    const { headers } = await ask();
    const { requests } = await logged({ requests: 2, metrics: 0 });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual({
      level: 'INFO',
      message: 'request',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestId: headers['apigw-requestid'],
      route,
      status: 200,
      sourceIp: '127.0.0.1',
      keyId: service.billingKey.keyId,
      durationMs: expect.any(Number),
      // Of a GET of an access: the application, the user and the access.
      consumedCapacity: route === 'get-access' ? 3 : expect.any(Number),
    });
    // Everything logged before the next request's line belongs to this one.
    await service.request(['PUT', access], bodyFor('PUT'));
    const { metrics } = await logged({ requests: 3, metrics: 1 });
    expect(metrics.map((line) => line.route)).toEqual(['set-access']);
  });

  test('a write logs its cost and counts in the metrics of its route', async () => {
    const { headers } = await service.request(['PUT', access], bodyFor('PUT'));
    const { requests, metrics } = await logged({ requests: 1, metrics: 1 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      level: 'INFO',
      service: 'auth-service-dev',
      requestId: headers['apigw-requestid'],
      route: 'set-access',
      status: 200,
      sourceIp: '127.0.0.1',
      appId: 'billing',
      keyId: service.billingKey.keyId,
      durationMs: expect.any(Number),
      dynamoDbRequests: 2,
      consumedCapacity: 4,
    });
    expect(metrics).toHaveLength(1);
    expect(metrics[0]).toMatchObject({
      service: 'auth-service-dev',
      route: 'set-access',
      Requests: 1,
      LatencyMilliseconds: expect.any(Number),
      DynamoDbRequests: 2,
      ConsumedCapacity: 4,
      SignatureFailures: 0,
      ReplaysRefused: 0,
    });
    expect(metrics[0]).not.toHaveProperty('Refusals');
    expect(declaredBy(metrics[0] ?? {})).toMatchObject({
      Namespace: 'AuthService',
      dimensions: [['service', 'route']],
    });
  });

  test('the first request of a process is marked as a cold start', () => {
    const first = parsed(service.logLines).filter(({ message }) => message === 'request');
    for (const route of ['get-access', 'set-access']) {
      const cold = first.filter((line) => line.route === route).map((line) => line.cold);
      expect([cold[0], new Set(cold.slice(1))]).toEqual([true, new Set([undefined])]);
    }
  });

  test('a forged request counts as a signature failure with its code, and sends nothing to the table', async () => {
    await service.request(['GET', access], { signing: { secret: 'svs_guessed' } });
    const { requests, metrics } = await logged({ requests: 1, metrics: 3 });
    expect(requests).toMatchObject([
      {
        level: 'INFO',
        service: 'auth-service-dev',
        requestId: expect.any(String),
        route: 'get-access',
        status: 401,
        code: 'signature_mismatch',
        sourceIp: '127.0.0.1',
        dynamoDbRequests: 0,
        consumedCapacity: 0,
      },
    ]);
    expect(requests[0]).not.toHaveProperty('keyId');
    expect(metrics).toMatchObject([
      { route: 'get-access', SignatureFailures: 1, Refusals: 1 },
      { route: 'get-access', code: 'signature_mismatch', Errors: 1 },
      { api: 'service', SignatureFailures: 1, Refusals: 1, LimitedRequests: 0 },
    ]);
    expect(metrics[2]).not.toHaveProperty('route');
    // Requests of this route are counted by Lambda, so metrics with only failures would be misleading.
    expect(metrics[0]).not.toHaveProperty('Requests');
  });

  test('a replayed request counts as a replay', async () => {
    const signing = { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) };
    const replay = () => service.request(['PUT', access], { ...bodyFor('PUT'), signing });
    await replay();
    await replay();
    const { metrics } = await logged({ requests: 2, metrics: 4 });
    expect(metrics.map(({ ReplaysRefused, code, api }) => ReplaysRefused ?? code ?? api)).toEqual([
      0,
      1,
      'nonce_replayed',
      'service',
    ]);
  });
});

test('the saved queries name only what the lines about requests have', async () => {
  await service.request(['GET', access]);
  await service.request(['PUT', access], bodyFor('PUT'));
  await service.request(['GET', access], { signing: { secret: 'svs_guessed' } });
  await manageClient(() => service)('iam', 'GET', '/users/ada');
  await logged({ requests: 4, metrics: 5 });
  const lines = parsed(service.logLines).filter(({ message }) => message === 'request');
  const fields = new Set(lines.flatMap(Object.keys));
  for (const [name, commands] of Object.entries(savedQueries)) {
    const own = commands.flatMap((command) => [...command.matchAll(/ as (\w+)/g)].map(([, alias = '']) => alias));
    for (const command of commands) {
      const [verb = ''] = command.split(' ', 1);
      const words = command.replaceAll(/"[^"]*"/g, '').match(/[a-zA-Z]\w*(?!\w*\()/g) ?? [];
      const known = [...fields, ...own, ...queryWords, verb];
      expect([name, verb, words.filter((word) => !known.includes(word))]).toEqual([name, verb, []]);
      expect(['filter', 'stats', 'sort', 'limit']).toContain(verb);
    }
  }
});

describe('requests that are not traffic of callers', () => {
  test('a request of the canary is counted as such, so that the alarm about no traffic can leave it out', async () => {
    await newApplication([], 'canary-local');
    const key = await service.issueKey('canary-local', ['access:read']);
    await service.request(['GET', access], { key });
    await service.request(['PUT', access], bodyFor('PUT'));
    const { metrics } = await logged({ requests: 2, metrics: 2 });
    expect(metrics.filter((line) => 'CanaryRequests' in line)).toMatchObject([{ CanaryRequests: 1 }]);
  });

  const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:auth-service-get-access';
  test.each([
    [`${arn}:7`, []],
    [`${arn}:live`, ['Failures', 'Errors', 'Failures']],
    [arn, ['Failures', 'Errors', 'Failures']],
  ])('a request to a version by its number checks a release and is not counted: %s', async (invoked, expected) => {
    const written: string[] = [];
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
    process.env.POWERTOOLS_METRICS_DISABLED = 'false';
    jest.resetModules();
    const { requestLog } = await import('#shared/http/middleware/request-log.ts');
    const identify = () => ({ route: 'get-user', caller: undefined });
    await requestLog({ identify, isBrief: true, api: 'manage' }).onError?.({
      event: { requestContext: { requestId: 'r', http: { sourceIp: '127.0.0.1' } } },
      context: { invokedFunctionArn: invoked },
      response: { statusCode: 500 },
      error: new Error('broken'),
      internal: { startedAt: 0, isCold: false },
    } as never);
    process.env.POWERTOOLS_METRICS_DISABLED = 'true';
    spy.mockRestore();
    const metrics = parsed(written).filter((line) => '_aws' in line);
    expect(metrics.map((line) => ['Failures', 'Errors'].find((name) => name in line))).toEqual(expected);
    expect(metrics.map(({ route, api }) => route ?? api)).toEqual(
      expected.length === 0 ? [] : ['get-user', 'get-user', 'manage'],
    );
  });
});

test('a published change counts in the metrics, with its lag', async () => {
  publishing.bus.calls.length = 0;
  await newUser();
  const find = async () => parsed(publishing.logLines).filter((line) => 'ChangesPublished' in line);
  const lines = await eventually(find, ({ length }) => length > 0);
  expect(lines[0]).toMatchObject({ service: 'auth-service-dev', ChangesPublished: expect.any(Number) });
  expect([lines[0]?.PublishLagMilliseconds].flat().every((lag) => Number(lag) >= 0)).toBe(true);
});

test('every metric has a name in the contract, and no metric names a person, an application or a key', () => {
  const lines = parsed([...service.logLines, ...publishing.logLines]).filter((line) => '_aws' in line);
  const names = new Set(lines.flatMap((line) => declaredBy(line).names));
  expect([...names].filter((name) => !(name in metricNames))).toEqual([]);
  const others = ['_aws', 'service', 'route', 'code', 'api'];
  for (const line of lines) {
    expect(Object.keys(line).filter((key) => !(key in metricNames) && !others.includes(key))).toEqual([]);
  }
});
