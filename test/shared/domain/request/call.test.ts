import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { callOf, outcomeFor } from '#shared/domain/request/call.ts';
import type { OperatorContext, SignedContext } from '#shared/domain/request/request-context.ts';
import type { Call, CompletedCall } from '#shared/table/items/call-item.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const content = { method: 'PUT', path: '/users/ada', query: '', ifMatch: '"1"', body: Buffer.from('{}') };
const requested = { requestId: 'r1', sourceIp: '192.0.2.7' };
const operator: OperatorContext['caller'] = { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' };
const keyId = 'svk_k1_billing_1' as KeyId;

const byOperator = (idempotencyKey?: string, part: object = {}, caller = operator): OperatorContext => ({
  ...requested,
  caller,
  attempt: { content: { ...content, ...part }, idempotencyKey },
});
const bySignature = (created: number, mac: string, subject?: string, expires?: number): SignedContext => ({
  ...requested,
  caller: { kind: 'api-key', appId: 'billing' as AppId, keyId },
  requiredScope: 'access:write',
  attempt: { content, signature: { nonce: 'n', created, expires, mac: Buffer.from(mac) }, ...(subject && { subject }) },
});
const called = (context: OperatorContext | SignedContext): Call => {
  const call = callOf(context);
  if (call === undefined) throw new Error('This is not a call');
  return call;
};
const ended = ({ requestId, request, signed, ttl }: Call, part: Partial<CompletedCall> = {}): CompletedCall => ({
  requestId,
  request,
  signed,
  ttl,
  outcome: { answer: 'first' },
  stored: { requestId, ttl },
  ...part,
});
const replayed = expect.objectContaining({
  code: 'nonce_replayed',
  options: { detail: expect.stringMatching(/^This nonce was already used .* a later "created"\.$/) },
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

  test('does not exist if nothing needs to happen once', () => {
    expect(callOf({ ...requested, caller: operator })).toBeUndefined();
  });

  test('of a key is named by its nonce, and expires when no attempt can be accepted', () => {
    jest.setSystemTime(995_000);
    const call = called(bySignature(1000, 'mac'));
    expect(call).toMatchObject({ named: true, requestId: 'r1', ttl: 1605, signed: { created: 1000, endsAt: 1305 } });
    expect(call.key).toEqual({ pk: `NONCE#${keyId}#n`, sk: 'NONCE' });
    expect(called(bySignature(1000, 'other')).signed).not.toEqual(call.signed);
  });

  test('of a key with a slow clock is kept as long as an earlier attempt with a fast clock', () => {
    jest.setSystemTime(1_290_000);
    expect(called(bySignature(1000, 'mac')).ttl).toBe(1900);
  });

  test.each([
    [1200, 1205],
    [1300, 1305],
    [1301, 1305],
  ])('of a key that expires at %i cannot be retried after %i, by the slowest clock', (expires, endsAt) => {
    expect(called(bySignature(1000, 'mac', undefined, expires)).signed?.endsAt).toBe(endsAt);
  });

  test('of an operator is named by its Idempotency-Key, and expires after a day', () => {
    const call = called(byOperator('first'));
    expect([call.named, call.signed]).toEqual([true, undefined]);
    expect(call.ttl).toBe(Date.parse('2026-11-21T19:00:01.000Z') / 1000);
    expect(called(byOperator('other')).key).not.toEqual(call.key);
    expect(called(byOperator('first', {}, { ...operator, id: 'eve' })).key).not.toEqual(call.key);
  });

  test('of an operator without an Idempotency-Key is named only by its request', () => {
    const call = called(byOperator());
    expect(call.named).toBe(false);
    expect(called({ ...byOperator(), caller: { ...operator, id: 'eve' } }).key).toEqual(call.key);
    expect(called({ ...byOperator(), requestId: 'r2' }).key).not.toEqual(call.key);
  });

  test('is the same if its operator has a different role by then', () => {
    const key = (role: 'admin' | 'viewer') => called(byOperator('first', {}, { ...operator, role })).key;
    expect(key('admin')).toEqual(key('viewer'));
    expect(key('admin')).toEqual(called(byOperator('first')).key);
  });

  test('has a part for each subject, which completes separately', () => {
    const [whole, ada, eve] = [undefined, 'ada', 'eve'].map((of) => called(bySignature(1000, 'mac', of)));
    expect(new Set([whole?.key.pk, ada?.key.pk, eve?.key.pk]).size).toBe(3);
    expect(ada).toMatchObject({ key: { sk: 'IDEMPOTENCY' }, request: whole?.request, signed: whole?.signed });
  });

  test('differs by any part of the request, but not by white space around If-Match', () => {
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

  test('with a nonce requires a key', () => {
    const context = { ...bySignature(1000, 'mac'), caller: operator } as unknown as SignedContext;
    expect(() => callOf(context)).toThrow('Only a key signs with a nonce');
  });
});

describe('the outcome of a completed call', () => {
  const memory = tableForEachTest(995_000);
  const signed = (created: number, mac: string, expires?: number) =>
    called({ ...bySignature(created, mac, undefined, expires), requestId: mac });
  const named = (requestId: string, part?: object) => called({ ...byOperator('first', part), requestId });
  const stored = (): CompletedCall => {
    const call = signed(1000, 'first');
    memory.put({ ...call.key, requestId: 'first', ttl: call.ttl });
    return ended(call);
  };
  const keptUntil = () => memory.table.get(signed(1000, 'first').key)?.ttl;

  test('is returned to every attempt, for as long as its signature may be created', async () => {
    for (const created of [700, 1000, 1300]) {
      expect(await outcomeFor(signed(created, `second ${created}`), stored())).toEqual({ answer: 'first' });
    }
    await expect(outcomeFor(signed(1301, 'second'), stored())).rejects.toThrow(replayed);
    expect(await outcomeFor(named('second'), ended(named('first')))).toEqual({ answer: 'first' });
  });

  test('is not returned to the same signature in another request, nor to another call of the same name', async () => {
    const again = { ...signed(1000, 'first'), requestId: 'second' };
    await expect(outcomeFor(again, stored())).rejects.toThrow(replayed);
    const other = { ...signed(1000, 'second'), request: 'other' };
    await expect(outcomeFor(other, stored())).rejects.toThrow(replayed);
    await expect(outcomeFor(named('second', { method: 'POST' }), ended(named('first')))).rejects.toThrow(reused);
  });

  test('is returned once to each signature of another attempt, and again to its own request', async () => {
    const second = signed(1001, 'second');
    expect(await outcomeFor(second, stored())).toEqual({ answer: 'first' });
    expect(await outcomeFor(second, stored())).toEqual({ answer: 'first' });
    await expect(outcomeFor({ ...second, requestId: 'copy' }, stored())).rejects.toThrow(replayed);
    expect(memory.table.items().find(({ sk }) => sk !== 'NONCE')).toMatchObject({ requestId: 'second', ttl: 1306 });
  });

  test('is kept for as long as the signature of a refused attempt is valid', async () => {
    await expect(outcomeFor(signed(1290, 'late', 1400), stored())).resolves.toEqual({ answer: 'first' });
    await expect(outcomeFor(signed(1590, 'late', 1600), stored())).rejects.toThrow(replayed);
    expect(keptUntil()).toBe(1605);
    await expect(outcomeFor(signed(1590, 'late'), stored())).rejects.toThrow(replayed);
    expect(keptUntil()).toBe(1895);
    await expect(outcomeFor({ ...signed(1595, 'other'), request: 'other' }, stored())).rejects.toThrow(replayed);
    expect(keptUntil()).toBe(1900);
  });

  test('is not shortened by an overtaken attempt that is not refused yet', async () => {
    const before = stored();
    await expect(outcomeFor(signed(1595, 'late'), before)).rejects.toThrow(replayed);
    await expect(outcomeFor(signed(1590, 'later'), before)).rejects.toMatchObject({ code: 'unavailable' });
    expect(keptUntil()).toBe(1900);
  });

  test('is not refused because of a name that was removed in the meantime', async () => {
    await expect(outcomeFor(signed(1590, 'late'), ended(signed(1000, 'first')))).rejects.toMatchObject({
      code: 'unavailable',
      options: { detail: 'Another attempt of this call is in progress. Try again.' },
    });
  });

  test('is returned to its own request, which was sent twice', async () => {
    expect(await outcomeFor(signed(1000, 'first'), stored())).toEqual({ answer: 'first' });
  });

  test('is not returned if only one of the two was signed', async () => {
    const [one, other] = [named('second'), signed(1000, 'first')];
    await expect(outcomeFor(one, ended({ ...other, request: one.request }))).rejects.toThrow(reused);
    await expect(outcomeFor(other, ended({ ...one, request: other.request }))).rejects.toThrow(replayed);
  });

  test('is unknown for a nonce used before outcomes were stored, even for its own request', async () => {
    const call = signed(1000, 'first');
    await expect(outcomeFor(call, { ...ended(call), outcome: undefined })).rejects.toThrow(replayed);
  });
});
