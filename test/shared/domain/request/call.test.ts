import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { callOf, outcomeFor } from '#shared/domain/request/call.ts';
import type { OperatorContext, SignedContext } from '#shared/domain/request/request-context.ts';
import type { Call, EndedCall } from '#shared/table/items/call-item.ts';

const asked = { method: 'PUT', path: '/users/ada', query: '', ifMatch: '"1"', body: Buffer.from('{}') };
const requested = { requestId: 'r1', sourceIp: '192.0.2.7' };
const operator: OperatorContext['caller'] = { kind: 'operator', id: 'ada' };
const keyId = 'svk_k1_billing_1' as KeyId;

const byOperator = (idempotencyKey?: string, part: object = {}, caller = operator): OperatorContext => ({
  ...requested,
  caller,
  attempt: { asked: { ...asked, ...part }, idempotencyKey },
});
const bySignature = (created: number, mac: string, subject?: string): SignedContext => ({
  ...requested,
  caller: { kind: 'api-key', appId: 'billing' as AppId, keyId },
  requiredScope: 'access:write',
  attempt: { asked, signature: { nonce: 'n', created, mac: Buffer.from(mac) }, ...(subject && { subject }) },
});
const called = (context: OperatorContext | SignedContext): Call => {
  const call = callOf(context);
  if (call === undefined) throw new Error('This is no call');
  return call;
};
const ended = ({ requestId, request, signed }: Call, part: Partial<EndedCall> = {}): EndedCall => ({
  ...{ requestId, request, signed, outcome: { answer: 'first' } },
  ...part,
});
const replayed = expect.objectContaining({
  code: 'nonce_replayed',
  options: { detail: expect.stringMatching(/^This nonce was used before, .* a later "created"\.$/) },
});
const reused = expect.objectContaining({
  code: 'idempotency_key_reused',
  options: { detail: expect.stringMatching(/^This Idempotency-Key was used before .* each new request\.$/) },
});

describe('a call', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-20T19:00:00.001Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is none where nothing is to be done once', () => {
    expect(callOf({ ...requested, caller: operator })).toBeUndefined();
  });

  test('of a key is named by its nonce, and forgotten when no attempt can be accepted any more', () => {
    const call = called(bySignature(1000, 'mac'));
    expect(call).toMatchObject({ named: true, requestId: 'r1', ttl: 1600, signed: { created: 1000 } });
    expect(call.key).toEqual({ pk: `NONCE#${keyId}#n`, sk: 'NONCE' });
    expect(called(bySignature(1000, 'other')).signed).not.toEqual(call.signed);
  });

  test('of an operator is named by its Idempotency-Key, and forgotten after a day', () => {
    const call = called(byOperator('first'));
    expect([call.named, call.signed]).toEqual([true, undefined]);
    expect(call.ttl).toBe(Date.parse('2026-11-21T19:00:01.000Z') / 1000);
    expect(called(byOperator('other')).key).not.toEqual(call.key);
    expect(called(byOperator('first', {}, { ...operator, id: 'eve' })).key).not.toEqual(call.key);
  });

  test('of an operator without an Idempotency-Key has the name of its request alone', () => {
    const call = called(byOperator());
    expect(call.named).toBe(false);
    expect(called({ ...byOperator(), caller: { ...operator, id: 'eve' } }).key).toEqual(call.key);
    expect(called({ ...byOperator(), requestId: 'r2' }).key).not.toEqual(call.key);
  });

  test('is the same when its operator has got another role meanwhile', () => {
    const key = (role: 'admin' | 'viewer') => called(byOperator('first', {}, { ...operator, role })).key;
    expect(key('admin')).toEqual(key('viewer'));
    expect(key('admin')).toEqual(called(byOperator('first')).key);
  });

  test('has a part for each subject, which ends by itself', () => {
    const [whole, ada, eve] = [undefined, 'ada', 'eve'].map((of) => called(bySignature(1000, 'mac', of)));
    expect(new Set([whole?.key.pk, ada?.key.pk, eve?.key.pk]).size).toBe(3);
    expect(ada).toMatchObject({ key: { sk: 'IDEMPOTENCY' }, request: whole?.request, signed: whole?.signed });
  });

  test('asks for something else by any part of what is asked for, but not by white space around If-Match', () => {
    const requestOf = (part: object) => called(byOperator('first', part)).request;
    const first = requestOf({});
    expect(requestOf({ ifMatch: ' "1" ' })).toBe(first);
    const others = [
      { method: 'POST' },
      { path: '/users/eve' },
      { query: 'a=1' },
      { ifMatch: undefined },
      { body: 'x' },
    ];
    expect(new Set([first, ...others.map(requestOf)]).size).toBe(6);
  });

  test('with a nonce is of a key', () => {
    const context = { ...bySignature(1000, 'mac'), caller: operator } as unknown as SignedContext;
    expect(() => callOf(context)).toThrow('Only a key signs with a nonce');
  });
});

describe('the outcome of a call that has ended', () => {
  const signed = (created: number, mac: string) => called({ ...bySignature(created, mac), requestId: mac });
  const named = (requestId: string, part?: object) => called({ ...byOperator('first', part), requestId });

  test('is that of every attempt, as long as its signature may be created', () => {
    const before = ended(signed(1000, 'first'));
    for (const created of [700, 1000, 1300]) {
      expect(outcomeFor(signed(created, 'second'), before)).toEqual({ answer: 'first' });
    }
    expect(() => outcomeFor(signed(1301, 'second'), before)).toThrow(replayed);
    expect(outcomeFor(named('second'), ended(named('first')))).toEqual({ answer: 'first' });
  });

  test('is not shown to the same signature in another request, nor to another call of the same name', () => {
    const again = { ...signed(1000, 'first'), requestId: 'second' };
    expect(() => outcomeFor(again, ended(signed(1000, 'first')))).toThrow(replayed);
    const other = { ...signed(1000, 'second'), request: 'other' };
    expect(() => outcomeFor(other, ended(signed(1000, 'first')))).toThrow(replayed);
    expect(() => outcomeFor(named('second', { method: 'POST' }), ended(named('first')))).toThrow(reused);
  });

  test('is shown to its own request, which has sent it twice', () => {
    expect(outcomeFor(signed(1000, 'first'), ended(signed(1000, 'first')))).toEqual({ answer: 'first' });
  });

  test('is not shown where one of both was signed and the other was not', () => {
    const [one, other] = [named('second'), signed(1000, 'first')];
    expect(() => outcomeFor(one, ended({ ...other, request: one.request }))).toThrow(reused);
    expect(() => outcomeFor(other, ended({ ...one, request: other.request }))).toThrow(replayed);
  });

  test('is unknown of a nonce that was spent before outcomes were stored, also for its own request', () => {
    const call = signed(1000, 'first');
    expect(() => outcomeFor(call, { ...ended(call), outcome: undefined })).toThrow(replayed);
  });
});
