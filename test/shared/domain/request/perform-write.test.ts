import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import { callOf } from '#shared/domain/request/call.ts';
import { decisionOf, performOnce, performWrite } from '#shared/domain/request/perform-write.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { putEntry } from '#shared/table/expression.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const asked = { method: 'PUT', path: '/users/ada', query: '', ifMatch: undefined, body: Buffer.from('{}') };
const attemptOf = (requestId: string, idempotencyKey?: string): OperatorContext => ({
  ...{ requestId, sourceIp: '192.0.2.7', caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' } },
  attempt: { asked, idempotencyKey },
});
const refusal = { detail: 'No.', field: { name: 'until', detail: 'has passed' } };
const key = { pk: 'USER#ada', sk: 'USER' };

const memory = tableForEachTest();

const restore = (kept: string) => `restored ${kept}`;
const write = (context: OperatorContext, decide: () => string | ServiceError | Error, writes = false) =>
  performWrite<string, string>(context, {
    decide: async () => {
      const decided = decide();
      if (decided instanceof Error) throw decided;
      return decisionOf(decided, writes ? [putEntry(key)] : undefined);
    },
    restore,
  });
const commands = () => memory.sdk.requests.map(({ command }) => command);

describe('a write', () => {
  test('of a call that has ended is answered by its outcome, whatever would be decided now', async () => {
    expect(await write(attemptOf('r1', 'call'), () => 'first')).toBe('first');
    expect(await write(attemptOf('r2', 'call'), () => 'second')).toBe('restored first');
    expect(await write(attemptOf('r2', 'call'), () => 'second', true)).toBe('restored first');
    expect(memory.table.get(key)).toBeUndefined();
    const refused = () => new ServiceError('user_not_found', refusal);
    expect(await write(attemptOf('r3', 'call'), refused)).toBe('restored first');
  });

  test.each([
    ['the field', refusal],
    ['members', { detail: 'No.', members: { version: 7 } }],
    ['headers', { detail: 'No.', headers: { 'retry-after': '5' } }],
    ['no more than its detail', { detail: 'No.' }],
  ])('that was refused is refused again alike, with %s', async (_, options) => {
    const refuse = () => new ServiceError('version_mismatch', options);
    await expect(write(attemptOf('r1', 'call'), refuse)).rejects.toMatchObject({ options });
    const again = await write(attemptOf('r2', 'call'), () => 'second').catch((error) => error);
    expect([again.code, again.options]).toStrictEqual(['version_mismatch', options]);
  });

  test.each<[string, Error]>([
    ['whose caller is not known', new ServiceError('key_revoked', { detail: 'Who?' })],
    ['that met a defect', new ServiceError('internal', { detail: 'Oh.' })],
    ['that met an outage', new ServiceError('unavailable', { detail: 'Later.' })],
    ["whose error is none of the service's own", Object.assign(new Error('Oh.'), { status: 404 })],
  ])('%s does not end the call', async (_, error) => {
    await expect(write(attemptOf('r1', 'call'), () => error)).rejects.toBe(error);
    expect(memory.table.items()).toEqual([]);
    expect(await write(attemptOf('r2', 'call'), () => 'second')).toBe('second');
  });

  test('without a name that changes nothing asks the table for nothing', async () => {
    expect(await write(attemptOf('r1'), () => 'same')).toBe('same');
    await expect(write(attemptOf('r1'), () => new ServiceError('user_not_found', refusal))).rejects.toThrow('No.');
    expect(commands()).toEqual([]);
  });

  test('without a name whose answer was lost finds what its own earlier attempt has done', async () => {
    let attempts = 0;
    memory.before = ({ command }) => {
      if (command !== 'TransactWriteItemsCommand') return;
      const call = callOf(attemptOf('r1'));
      memory.put({ ...call?.key, ...call, outcome: JSON.stringify({ answer: 'first' }) });
      const CancellationReasons = [{ Code: 'TransactionConflict' }];
      throw new TransactionCanceledException({ message: 'conflict', $metadata: {}, CancellationReasons });
    };
    const context = attemptOf('r1');
    const answer = performWrite<string, string>(context, {
      decide: async () => decisionOf('second', ++attempts === 1 ? [putEntry(key)] : undefined),
      restore,
    });
    await jest.runAllTimersAsync();
    expect([await answer, attempts]).toEqual(['restored first', 2]);
  });

  test('as a dry run ends with its decision', async () => {
    expect(await write({ ...attemptOf('r1', 'call'), dryRun: true }, () => 'would', true)).toBe('would');
    expect(commands()).toEqual([]);
  });
});

describe('what is done before a write', () => {
  const perform = async (context: OperatorContext, run: () => Promise<string>) => {
    let runs = 0;
    const counted = () => {
      runs += 1;
      return run();
    };
    const outcome = await performOnce<string, string>(context, restore, counted).catch((error: Error) => error.message);
    return [outcome, runs];
  };
  const fail = async () => {
    throw new Error('failed');
  };

  test('is not done for a call that has ended', async () => {
    await write(attemptOf('r1', 'call'), () => 'first');
    expect(await perform(attemptOf('r2', 'call'), async () => 'second')).toEqual(['restored first', 0]);
  });

  test('is done for a call that has not, which reads once whether it has', async () => {
    expect(await perform(attemptOf('r1', 'call'), async () => 'first')).toEqual(['first', 1]);
    expect(commands()).toEqual(['BatchGetItemCommand']);
    expect(await perform(attemptOf('r1', 'call'), fail)).toEqual(['failed', 1]);
  });

  test('and what it refuses does not count when another attempt has ended the call meanwhile', async () => {
    const run = async () => {
      await write(attemptOf('r1', 'call'), () => 'first');
      return fail();
    };
    expect(await perform(attemptOf('r2', 'call'), run)).toEqual(['restored first', 1]);
  });

  test('asks for no other attempt of a call without a name, which can have none', async () => {
    expect(await perform(attemptOf('r1'), async () => 'first')).toEqual(['first', 1]);
    const { attempt: _, ...read } = attemptOf('r1');
    expect(await perform(read, fail)).toEqual(['failed', 1]);
    expect(commands()).toEqual([]);
  });
});
