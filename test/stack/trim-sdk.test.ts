import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { awsEnvironment } from '../../bench/aws-stand-in.ts';
import { bundleFunction, bundleOptions } from '../../lib/functions/bundle-function.ts';
import { trimmedModules } from '../../lib/functions/trim-sdk.ts';
import { answerBundle, eventOf } from '../support/answer-bundles.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));

/** The AWS error for an operation, or undefined for none. */
let fault: (operation: string) => object | undefined;
const asked: string[] = [];
const server = createServer(async (request, response) => {
  const target = String(request.headers['x-amz-target']);
  const operation = target.slice(target.indexOf('.') + 1);
  const input = JSON.parse(Buffer.concat(await request.toArray()).toString());
  asked.push(operation);
  const error = fault(operation);
  response.statusCode = error === undefined ? 200 : 400;
  response.end(JSON.stringify(error ?? answerBundle(target, input)));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  rmSync(outDir, { recursive: true });
});

/** Lambda's context, as script source. */
const context = '{ awsRequestId: "r1", getRemainingTimeInMillis: () => 10_000 }';

/** Returns the standard output of a new process. */
async function run(cwd: string, script: string): Promise<string> {
  const env = awsEnvironment(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd, env });
  return stdout;
}

/** Returns the status and code of a response, and the requests to AWS for it. */
async function answer(name: Parameters<typeof eventOf>[0], faulty: typeof fault) {
  fault = faulty;
  asked.length = 0;
  const { directory } = bundleFunction(name, outDir);
  const event = eventOf(name);
  const stdout = await run(
    directory,
    `console.log = console.info = console.error = () => {};
    require('.').handler(${JSON.stringify(event)}, ${context}).then((answer) => {
      process.stdout.write(JSON.stringify(answer)); process.exit(); })`,
  );
  const { statusCode, body } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"statusCode"')));
  return [statusCode, JSON.parse(body).code, [...asked]];
}

const error = (type: string, more: object = {}) => ({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...more });

/** Returns an error for every request of one operation. */
const when = (operation: string, type: string, more?: object) => (each: string) =>
  each === operation ? error(type, more) : undefined;

describe('a trimmed bundle', () => {
  test('retries when DynamoDB throttles, by the name of an error whose class was removed', async () => {
    const [status, code, requests] = await answer(
      'get-access',
      when('BatchGetItem', 'ProvisionedThroughputExceededException'),
    );
    expect([status, code]).toEqual([503, 'unavailable']);
    expect(requests.filter((each: string) => each === 'BatchGetItem')).toHaveLength(3);
  });

  test('treats an unexpected error as its own fault, without a retry', async () => {
    const [status, code, requests] = await answer('get-access', when('BatchGetItem', 'ResourceNotFoundException'));
    expect([status, code]).toEqual([500, 'internal']);
    expect(requests.filter((each: string) => each === 'BatchGetItem')).toHaveLength(1);
  });

  test('recognizes a cancelled transaction by its reasons', async () => {
    const call = { pk: { S: 'n' }, requestId: { S: 'another' }, request: { S: 'R' }, ttl: { N: String(2 ** 32) } };
    const reasons = [{ Code: 'ConditionalCheckFailed', Item: call }, { Code: 'None' }];
    const cancelled = when('TransactWriteItems', 'TransactionCanceledException', { CancellationReasons: reasons });
    const [status, code] = await answer('set-access', cancelled);
    expect([status, code]).toEqual([409, 'nonce_replayed']);
  });

  test('retries while another transaction is in progress', async () => {
    let left = 2;
    const [status, , requests] = await answer('set-access', (operation) =>
      operation === 'TransactWriteItems' && left-- > 0 ? error('TransactionInProgressException') : undefined,
    );
    expect(status).toBe(200);
    expect(requests.filter((each: string) => each === 'TransactWriteItems')).toHaveLength(3);
  });

  test.each(['KMSInternalException', 'DisabledException', 'AccessDeniedException'])(
    'answers 503 instead of 401 if KMS answers %s',
    async (type) => {
      const [status, code, requests] = await answer('get-access', when('GenerateMac', type));
      expect([status, code]).toEqual([503, 'unavailable']);
      expect(requests).not.toContain('BatchGetItem');
    },
  );
});

test('a process reads its credentials once for each client, not for each request', async () => {
  fault = () => undefined;
  const { directory } = bundleFunction('get-access', outDir);
  const stdout = await run(
    directory,
    `let reads = 0;
    process.env = new Proxy(process.env, {
      get: (all, name) => { if (name === 'AWS_SECRET_ACCESS_KEY') reads++; return all[name]; } });
    const { handler } = require('.');
    const event = ${JSON.stringify(eventOf('get-access'))};
    (async () => {
      for (let at = 0; at < 5; at++) await handler(event, ${context});
      process.stdout.write('reads ' + reads); process.exit(); })()`,
  );
  // DynamoDB's and that of KMS.
  expect(stdout).toMatch(/reads 2$/);
});

test('every module to be trimmed is in a bundle', async () => {
  const { metafile } = await build({ ...bundleOptions(['get-access']), outdir: outDir, write: false, metafile: true });
  const modules = Object.keys(metafile.inputs);
  expect(trimmedModules.filter((trimmed) => !modules.some((module) => trimmed.test(module)))).toEqual([]);
});
