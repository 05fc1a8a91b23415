import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createFunction, type LambdaFunction, type Outcome } from '../../local/lambda-function.ts';
import type { FunctionModel } from '../../local/read-stack.ts';
import { compileCache } from '../support/environments.ts';
import { collectLines } from './collect-lines.ts';
import { writeBundle } from './write-assembly.ts';

const started: LambdaFunction[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((fn) => fn.close()));
});

async function start(
  handler: string,
  given: Partial<FunctionModel> = {},
  log: (line: string) => void = () => undefined,
) {
  const model: FunctionModel = {
    logicalId: 'GetAccess',
    handler: 'index.handler',
    environment: { TABLE_NAME: 'table-1' },
    codeFolder: await writeBundle(handler),
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    ...given,
  };
  const fn = createFunction(model, { dynamodb: 'http://127.0.0.1:8000', log });
  started.push(fn);
  return fn;
}

const jsonOf = (outcome: Outcome) => JSON.parse(outcome.kind === 'result' ? outcome.json : 'null');
const result = (value: unknown) => ({ kind: 'result', json: JSON.stringify(value) });

describe('a handler', () => {
  test('receives the event and returns a result', async () => {
    const fn = await start('exports.handler = async (event) => ({ got: event.rawPath });');
    expect(await fn.invoke({ rawPath: '/a' })).toEqual(result({ got: '/a' }));
  });

  test("sees the environment of the template and of Lambda, of this process's only the compile cache", async () => {
    process.env.PARENT_SECRET = 'leaks';
    const fn = await start('exports.handler = async () => process.env;');
    expect(jsonOf(await fn.invoke({}))).toEqual({
      TABLE_NAME: 'table-1',
      WEBHOOK_LOOPBACK: 'allowed',
      TZ: ':UTC',
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_LAMBDA_FUNCTION_NAME: 'GetAccess',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
      NODE_COMPILE_CACHE: compileCache,
    });
  });

  test('cannot change the environment of this process', async () => {
    const fn = await start('exports.handler = async () => { process.env.FROM_HANDLER = "1"; };');
    await fn.invoke({});
    expect(process.env).not.toHaveProperty('FROM_HANDLER');
  });

  test('receives a context like that of Lambda', async () => {
    const fn = await start(
      'exports.handler = async (event, context) => ({ ...context, left: context.getRemainingTimeInMillis() });',
    );
    const context = jsonOf(await fn.invoke({}));
    expect(context).toMatchObject({
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionName: 'GetAccess',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:GetAccess',
      memoryLimitInMB: '512',
      logGroupName: '/aws/lambda/GetAccess',
    });
    expect(context.left).toBeGreaterThan(5_000);
    expect(context.left).toBeLessThanOrEqual(10_000);
  });

  test('that returns undefined produces null', async () => {
    const fn = await start('exports.handler = async () => undefined;');
    expect(await fn.invoke({})).toEqual(result(null));
  });

  test('is loaded once and keeps its state', async () => {
    const fn = await start('let calls = 0; exports.handler = async () => ++calls;');
    await fn.invoke({});
    expect(await fn.invoke({})).toEqual(result(2));
  });

  test('runs overlapping invocations concurrently', async () => {
    const fn = await start(`
      const { once, EventEmitter } = require('node:events');
      const door = new EventEmitter();
      exports.handler = async ({ role }) => {
        if (role === 'waits') await once(door, 'open');
        else door.emit('open');
        return role;
      };`);
    expect(await Promise.all([fn.invoke({ role: 'waits' }), fn.invoke({ role: 'opens' })])).toEqual([
      result('waits'),
      result('opens'),
    ]);
  });

  test('writes to the log', async () => {
    const { log, until } = collectLines();
    const fn = await start(
      'exports.handler = async () => { console.log("to out"); console.error("to err"); };',
      {},
      log,
    );
    await fn.invoke({});
    await Promise.all([until(/^to out$/), until(/^to err$/)]);
  });
});

describe('an invocation fails', () => {
  test('when the handler throws, which is logged', async () => {
    const { log, until } = collectLines();
    const fn = await start('exports.handler = async () => { throw new TypeError("no such thing"); };', {}, log);
    expect(await fn.invoke({})).toEqual({ kind: 'failed' });
    expect(JSON.parse(await until(/no such thing/))).toMatchObject({
      level: 'ERROR',
      message: { errorType: 'TypeError', errorMessage: 'no such thing' },
    });
  });

  test('when JSON cannot represent the result', async () => {
    const fn = await start('exports.handler = async () => 1n;');
    expect(await fn.invoke({})).toEqual({ kind: 'failed' });
  });

  test('when the bundle cannot be loaded, which is logged', async () => {
    const { log, until } = collectLines();
    const fn = await start('throw new Error("TABLE_NAME is missing");', {}, log);
    expect(await fn.invoke({})).toEqual({ kind: 'failed' });
    expect(await until(/TABLE_NAME is missing/)).toContain('GetAccess crashed');
  });

  test('when the bundle has no such handler', async () => {
    const { log, until } = collectLines();
    const fn = await start('exports.other = async () => 1;', {}, log);
    expect(await fn.invoke({})).toEqual({ kind: 'failed' });
    await until(/index.js exports no function named handler/);
  });

  test.each([
    ['exits', 'process.exit(1)'],
    ['throws an uncaught error', 'setImmediate(() => { throw new Error("uncaught") }); return new Promise(() => {})'],
    ['leaves a rejection unhandled', 'Promise.reject(new Error("unhandled")); return new Promise(() => {})'],
  ])('when the handler %s, and the next one gets a new worker', async (_, deed) => {
    const fn = await start(
      `let calls = 0; exports.handler = async ({ die }) => { calls++; if (die) { ${deed} } return calls; };`,
    );
    await fn.invoke({});
    expect(await fn.invoke({ die: true })).toEqual({ kind: 'failed' });
    expect(await fn.invoke({})).toEqual(result(1));
  });
});

describe('a timeout', () => {
  const handler = `
    let calls = 0;
    let leftToHanging;
    exports.handler = async ({ deed }, context) => {
      calls++;
      if (deed === 'hang') leftToHanging = context.getRemainingTimeInMillis;
      if (deed === 'hang') await new Promise(() => {});
      if (deed === 'spin') for (;;);
      if (deed === 'outlast') while (leftToHanging() > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      return calls;
    };`;

  test.each(['hang', 'spin'])('ends an invocation told to %s, and the next one gets a new worker', async (deed) => {
    const fn = await start(handler, { timeoutSeconds: 0.5 });
    expect(await fn.invoke({ deed })).toEqual({ kind: 'timed-out' });
    expect(await fn.invoke({})).toEqual(result(1));
  });

  test('lets other invocations in the worker finish', async () => {
    const fn = await start(handler, { timeoutSeconds: 1 });
    await fn.invoke({});
    const hanging = fn.invoke({ deed: 'hang' });
    await pause(500);
    const outlasting = fn.invoke({ deed: 'outlast' });
    expect(await hanging).toEqual({ kind: 'timed-out' });
    expect(await outlasting).toEqual(result(3));
  });
});

test('can be closed even while a handler spins', async () => {
  const { log, until } = collectLines();
  const handler =
    'exports.handler = async () => { console.log("spins"); setTimeout(() => { for (;;); }, 10); await new Promise(() => {}); };';
  const fn = await start(handler, {}, log);
  const invocation = fn.invoke({});
  await until(/spins/);
  await pause(50);
  await fn.close();
  expect(await invocation).toEqual({ kind: 'failed' });
});
