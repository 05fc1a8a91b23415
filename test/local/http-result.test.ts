import { describe, expect, test } from '@jest/globals';
import { internalServerError, toHttpAnswer } from '../../local/http-result.ts';

const answerTo = (result: unknown) => toHttpAnswer({ kind: 'result', json: JSON.stringify(result) });

describe('a result without a status code is the body', () => {
  test.each([
    ['a string, unchanged', 'Hello from Lambda!', 'Hello from Lambda!'],
    ['an object', { message: 'Hello' }, '{"message":"Hello"}'],
    ['a list', [1, 2], '[1,2]'],
    ['null', null, 'null'],
    ['a number', 7, '7'],
  ])('%s', (_, result, body) => {
    const answer = answerTo(result);
    expect(answer).toMatchObject({ statusCode: 200, headers: [['content-type', 'application/json']] });
    expect(answer.body.toString()).toBe(body);
  });
});

describe('a result with a status code', () => {
  test('is sent unchanged', () => {
    const answer = answerTo({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'x-number': 1, 'x-flag': true },
      cookies: ['a=1; Secure', 'b=2'],
      body: 'λ',
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers).toEqual([
      ['content-type', 'text/html'],
      ['x-number', '1'],
      ['x-flag', 'true'],
      ['set-cookie', 'a=1; Secure'],
      ['set-cookie', 'b=2'],
    ]);
    expect(answer.body.toString()).toBe('λ');
  });

  test('can have a base64 body', () => {
    const { body } = answerTo({
      statusCode: 200,
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    });
    expect([...body]).toEqual([0, 255]);
  });

  test('gets a default content type only if it has a body', () => {
    expect(answerTo({ statusCode: 200, body: 'x' }).headers).toEqual([['content-type', 'text/plain;charset=UTF-8']]);
    expect(answerTo({ statusCode: 204 })).toMatchObject({ statusCode: 204, headers: [], body: Buffer.alloc(0) });
  });

  test('cannot override headers that the gateway sets', () => {
    const headers = { 'Content-Length': '1', connection: 'close', 'transfer-encoding': 'chunked' };
    expect(answerTo({ statusCode: 204, headers }).headers).toEqual([]);
  });
});

describe('a malformed result gives 500', () => {
  test.each([
    ['an invalid status code', { statusCode: 'fine' }],
    ['a status code out of range', { statusCode: 99 }],
    ['a body that is not a string', { statusCode: 200, body: { a: 1 } }],
    ['a header that is a list', { statusCode: 200, headers: { a: ['b'] } }],
    ['a header that would split the response', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['an invalid header name', { statusCode: 200, headers: { 'a b': 'c' } }],
    ['cookies that are not a list', { statusCode: 200, cookies: 'a=1' }],
  ])('%s', (_, result) => {
    expect(answerTo(result)).toBe(internalServerError);
  });
});

test.each(['failed', 'timed-out'] as const)('an invocation that %s gives 500', (kind) => {
  const answer = toHttpAnswer({ kind });
  expect(answer.statusCode).toBe(500);
  expect(answer.body.toString()).toBe('{"message":"Internal Server Error"}');
});
