import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createFunction, type LambdaFunction } from '../../../local/lambda-function.ts';
import { closeServer, listenOn } from '../../../local/listen.ts';
import { writeBundle } from '../write-assembly.ts';

const table = {
  name: 'items',
  arn: 'arn:aws:dynamodb:local:000000000000:table/items',
  partitionKey: 'pk',
  indexKeys: {},
};
const policies = {
  functionId: 'Reader',
  role: 'arn:aws:iam::000000000000:role/Reader',
  identity: [
    {
      place: 'Policy',
      json: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: table.arn }],
      },
    },
  ],
  resources: [],
  table,
};

let requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(`${request.headers['x-amz-target'] ?? request.url}`);
  response.end('{}');
});
const other = createServer((_, response) => response.end('other'));
let port = 0;
let otherPort = 0;
beforeAll(async () => {
  port = await listenOn(server, 0);
  otherPort = await listenOn(other, 0);
});
afterAll(async () => {
  await closeServer(server);
  await closeServer(other);
});
const started: LambdaFunction[] = [];
afterEach(async () => {
  requests = [];
  await Promise.all(started.splice(0).map((fn) => fn.close()));
});

/** Calls as a bundle does; the code has `http`, the guarded `port`, another, and the headers of a signed `target`. */
async function call(
  code: string,
  target = 'DynamoDB_20120810.Query',
): Promise<{ status?: number; body?: string; error?: string }> {
  const handler = `
    const http = require('node:http');
    const port = ${port}, otherPort = ${otherPort};
    const body = JSON.stringify({
      TableName: 'items',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    });
    const headers = {
      authorization: 'AWS4-HMAC-SHA256 Credential=local/20261124/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-target': '${target}',
    };
    const answer = (send) => new Promise((resolve, reject) => {
      const request = send((response) => {
        let body = '';
        response.on('data', (part) => { body += part; });
        response.on('end', () => resolve({ status: response.statusCode, body, type: response.headers['content-type'] }));
      });
      request.on('error', reject);
    });
    exports.handler = async () => {
      try { ${code} } catch (error) { return { error: error.cause?.message ?? error.message }; }
    };`;
  const model = {
    logicalId: 'Reader',
    handler: 'index.handler',
    environment: {},
    codeFolder: await writeBundle(handler),
    timeoutSeconds: 10,
    memoryMegabytes: 512,
  };
  const fn = createFunction(model, { dynamodb: `http://127.0.0.1:${port}`, policies });
  started.push(fn);
  const outcome = await fn.invoke({});
  return outcome.kind === 'result' ? JSON.parse(outcome.json) : { error: outcome.kind };
}

const options = `{ host: '127.0.0.1', port, method: 'POST', path: '/', headers }`;

describe('a signed request', () => {
  test.each([
    ['http.request(options)', `return await answer((done) => http.request(${options}, done).end(body));`],
    [
      'http.request(url, options)',
      "return await answer((done) => http.request('http://127.0.0.1:' + port + '/', { method: 'POST', headers }, done).end(body));",
    ],
    [
      "import { request } from 'node:http'",
      `const { request } = await import('node:http'); return await answer((done) => request(${options}, done).end(body));`,
    ],
    ['new http.ClientRequest', `return await answer((done) => new http.ClientRequest(${options}, done).end(body));`],
    [
      'without an agent',
      `return await answer((done) => http.request({ ...${options}, agent: false }, done).end(body));`,
    ],
  ])('by %s is decided, and sent if it is allowed', async (_, code) => {
    expect(await call(code)).toMatchObject({ status: 200, body: '{}' });
    expect(requests).toEqual(['DynamoDB_20120810.Query']);
    expect(await call(code.replaceAll('end(body)', "end(body.replace('pk', 'gsi1pk'))"))).toHaveProperty('error');
    const put = code.replaceAll('end(body)', `end('{"TableName":"items","Item":{"pk":{"S":"a"}}}')`);
    expect(await call(put, 'DynamoDB_20120810.PutItem')).toMatchObject({
      status: 400,
      type: 'application/x-amz-json-1.0',
      body: expect.stringContaining('is not authorized to perform: dynamodb:PutItem on resource'),
    });
    expect(requests).toEqual(['DynamoDB_20120810.Query']);
  });

  test('to another port is decided too', async () => {
    const put = { status: 400, body: expect.stringContaining('AccessDeniedException') };
    const code = `return await answer((done) => http.request({ ...${options}, port: otherPort }, done).end('{"TableName":"items","Item":{"pk":{"S":"a"}}}'));`;
    expect(await call(code, 'DynamoDB_20120810.PutItem')).toMatchObject(put);
  });
});

test.each([
  ['http.request', `return await answer((done) => http.request({ port, host: 'localhost', path: '/' }, done).end());`],
  ['http.get', "return await answer((done) => http.get('http://127.0.0.1:' + port, done));"],
  [
    'a header list, in which the signature cannot be read',
    "return await answer((done) => http.request({ port, headers: ['authorization', headers.authorization] }, done).end());",
  ],
  ['https', "return await answer((done) => require('node:https').get('https://127.0.0.1:' + port, done));"],
  ['fetch', "return { body: await (await fetch('http://127.0.0.1:' + port, { headers })).text() };"],
  ['HTTP/2', "require('node:http2').connect('http://127.0.0.1:' + port); return {};"],
  ['a socket', "require('node:net').connect(port, '127.0.0.1'); return {};"],
  ['a socket with options', "new (require('node:net').Socket)().connect({ port }); return {};"],
  [
    'a connection without an agent',
    "return await answer((done) => http.request({ port, headers, createConnection: require('node:net').connect }, done).end());",
  ],
])('%s cannot reach the port of AWS without a decision', async (_, code) => {
  expect(await call(code)).toEqual({
    error: expect.stringMatching(/^The function calls AWS .*no policy can decide that/),
  });
  expect(requests).toEqual([]);
});

test('requests to any other port are sent', async () => {
  expect(await call("return { body: await (await fetch('http://127.0.0.1:' + otherPort)).text() };")).toEqual({
    body: 'other',
  });
  expect(await call("return await answer((done) => http.get('http://127.0.0.1:' + otherPort, done));")).toMatchObject({
    body: 'other',
  });
});
