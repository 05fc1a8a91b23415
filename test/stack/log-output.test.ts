import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { awsEnvironment } from '../../bench/aws-stand-in.ts';
import { bundleFunction } from '../../lib/functions/bundle-function.ts';
import { answerBundle, eventOf } from '../support/answer-bundles.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));

const server = createServer(async (request, response) => {
  const input = JSON.parse(Buffer.concat(await request.toArray()).toString());
  response.end(JSON.stringify(answerBundle(String(request.headers['x-amz-target']), input)));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  rmSync(outDir, { recursive: true });
});

/** Writes each console call as a separate JSON line, as Lambda's Node runtime does. */
const lambdaConsole = `for (const level of ['debug', 'info', 'log', 'warn', 'error'])
  console[level] = (message) => process.stdout.write(JSON.stringify({ timestamp: new Date(), level, message }) + '\\n');`;

/** Returns the standard output of a new process that receives these events in sequence. */
async function linesOf(name: string, events: readonly object[], environment: Record<string, string> = {}) {
  const script = `${lambdaConsole}
    const { handler } = require('./index.js');
    const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 10_000 };
    (async () => { for (const event of ${JSON.stringify(events)}) await handler(event, context); process.exit(); })();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    cwd: bundleFunction(name, outDir).directory,
    env: {
      ...awsEnvironment(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
      ...environment,
    },
  });
  return stdout.trimEnd().split('\n');
}

/** Builds a request with an id in API Gateway's format. */
function asked(name: Parameters<typeof eventOf>[0], headers: object = {}) {
  const event = eventOf(name);
  const requestContext = { ...event.requestContext, requestId: 'KxYz1iQrDoEEJfA=' };
  return { ...event, requestContext, headers: { ...event.headers, ...headers } };
}

test('a successful GET logs one line of at most 270 bytes, and marks the first of a process as a cold start', async () => {
  const lines = await linesOf('get-access', [asked('get-access'), asked('get-access'), asked('get-access')]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'INFO', message: 'request', route: 'get-access', status: 200, cold: true },
    { requestId: 'KxYz1iQrDoEEJfA=', consumedCapacity: expect.any(Number) },
    { durationMs: expect.any(Number) },
  ]);
  // Including the line break.
  for (const line of lines.slice(1)) expect(Buffer.byteLength(line) + 1).toBeLessThanOrEqual(270);
});

test('a successful GET logs nothing at the log level WARN', async () => {
  const level = { AWS_LAMBDA_LOG_LEVEL: 'WARN', POWERTOOLS_LOG_LEVEL: 'WARN' };
  expect(await linesOf('get-access', [asked('get-access')], level)).toEqual(['']);
});

test('no request of a provisioned process is a cold start', async () => {
  const provisioned = { AWS_LAMBDA_INITIALIZATION_TYPE: 'provisioned-concurrency' };
  const [line = ''] = await linesOf('get-access', [asked('get-access')], provisioned);
  expect(JSON.parse(line)).not.toHaveProperty('cold');
});

test.each<[string, Parameters<typeof eventOf>[0], object, string[]]>([
  ['a refused read', 'get-access', { signature: 'sig1=:AAAA:' }, ['SignatureFailures', 'Errors']],
  ['a write', 'set-access', {}, ['Requests', 'LatencyMilliseconds']],
])(
  'the metrics of %s are at the root of their log line, where CloudWatch looks for them',
  async (_, name, sent, names) => {
    const lines = (await linesOf(name, [asked(name, sent)])).map((line) => JSON.parse(line));
    const declared = lines.flatMap(({ _aws }) => _aws?.CloudWatchMetrics ?? []);
    expect(declared.flatMap(({ Metrics }) => Metrics.map(({ Name }: { Name: string }) => Name))).toEqual(
      expect.arrayContaining(names),
    );
    expect(lines.filter(({ message }) => message === 'request')).toHaveLength(1);
  },
);
