import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import { callOf } from '#shared/domain/request/call.ts';
import { identity, performOnce, performWrite } from '#shared/domain/request/perform-write.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { putEntry } from '#shared/table/expression.ts';
import { operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const refusal = { detail: 'No.', field: { name: 'until', detail: 'has passed' } };
const key = { pk: 'USER#ada', sk: 'USER' };

const memory = tableForEachTest();

const fromStored = (stored: string) => `restored ${stored}`;
const write = (context: OperatorContext, decide: () => string | ServiceError | Error, writes = false) =>
  performWrite<string, string>(context, {
    decide: async () => {
      const decided = decide();
      if (decided instanceof Error) throw decided;
      return { answer: decided, ...(writes && { entries: [putEntry(key)] }) };
    },
    toStored: identity,
    fromStored,
  });
const commands = () => memory.sdk.requests.map(({ command }) => command);

describe('a write', () => {
  test('of a completed call returns its outcome, whatever would be decided now', async () => {
    expect(await write(operatorAttempt('r1', 'call'), () => 'first')).toBe('first');
    expect(await write(operatorAttempt('r2', 'call'), () => 'second')).toBe('restored first');
    expect(await write(operatorAttempt('r2', 'call'), () => 'second', true)).toBe('restored first');
    expect(memory.table.get(key)).toBeUndefined();
    const refused = () => new ServiceError('user_not_found', refusal);
    expect(await write(operatorAttempt('r3', 'call'), refused)).toBe('restored first');
  });

  test.each([
    ['the field', refusal],
    ['members', { detail: 'No.', members: { version: 7 } }],
    ['headers', { detail: 'No.', headers: { 'retry-after': '5' } }],
    ['only its detail', { detail: 'No.' }],
  ])('that was refused is refused again in the same way, with %s', async (_, options) => {
    const refuse = () => new ServiceError('version_mismatch', options);
    await expect(write(operatorAttempt('r1', 'call'), refuse)).rejects.toMatchObject({ options });
    const again = await write(operatorAttempt('r2', 'call'), () => 'second').catch((error) => error);
    expect([again.code, again.options]).toStrictEqual(['version_mismatch', options]);
  });

  test.each<[string, Error]>([
    ['whose caller is unknown', new ServiceError('key_revoked', { detail: 'Who?' })],
    ['that failed because of a defect', new ServiceError('internal', { detail: 'Oh.' })],
    ['that failed because of an outage', new ServiceError('unavailable', { detail: 'Later.' })],
    ["whose error is not the service's own", Object.assign(new Error('Oh.'), { status: 404 })],
  ])('%s does not complete the call', async (_, error) => {
    await expect(write(operatorAttempt('r1', 'call'), () => error)).rejects.toBe(error);
    expect(memory.table.items()).toEqual([]);
    expect(await write(operatorAttempt('r2', 'call'), () => 'second')).toBe('second');
  });

  test('without a name that changes nothing sends no request to the table', async () => {
    expect(await write(operatorAttempt('r1'), () => 'same')).toBe('same');
    await expect(write(operatorAttempt('r1'), () => new ServiceError('user_not_found', refusal))).rejects.toThrow(
      'No.',
    );
    expect(commands()).toEqual([]);
  });

  test('without a name whose response was lost finds the result of its own earlier attempt', async () => {
    let attempts = 0;
    memory.before = ({ command }) => {
      if (command !== 'TransactWriteItemsCommand') return;
      const call = callOf(operatorAttempt('r1'));
      memory.put({ ...call?.key, ...call, outcome: JSON.stringify({ answer: 'first' }) });
      const CancellationReasons = [{ Code: 'TransactionConflict' }];
      throw new TransactionCanceledException({ message: 'conflict', $metadata: {}, CancellationReasons });
    };
    const context = operatorAttempt('r1');
    const answer = performWrite<string, string>(context, {
      decide: async () => ({ answer: 'second', ...(++attempts === 1 && { entries: [putEntry(key)] }) }),
      toStored: identity,
      fromStored,
    });
    await jest.runAllTimersAsync();
    expect([await answer, attempts]).toEqual(['restored first', 2]);
  });

  test('ends after its decision in a dry run', async () => {
    expect(await write({ ...operatorAttempt('r1', 'call'), dryRun: true }, () => 'would', true)).toBe('would');
    expect(commands()).toEqual([]);
  });
});

describe('the preparation of a write', () => {
  const perform = async (context: OperatorContext, run: () => Promise<string>) => {
    let runs = 0;
    const counted = () => {
      runs += 1;
      return run();
    };
    const outcome = await performOnce<string, string>(context, fromStored, counted).catch(
      (error: Error) => error.message,
    );
    return [outcome, runs];
  };
  const fail = async () => {
    throw new Error('failed');
  };

  test('is skipped for a completed call', async () => {
    await write(operatorAttempt('r1', 'call'), () => 'first');
    expect(await perform(operatorAttempt('r2', 'call'), async () => 'second')).toEqual(['restored first', 0]);
  });

  test('runs for an incomplete call, which reads its outcome once', async () => {
    expect(await perform(operatorAttempt('r1', 'call'), async () => 'first')).toEqual(['first', 1]);
    expect(commands()).toEqual(['BatchGetItemCommand']);
    expect(await perform(operatorAttempt('r1', 'call'), fail)).toEqual(['failed', 1]);
  });

  test('does not count if it refuses and another attempt has completed the call by then', async () => {
    const run = async () => {
      await write(operatorAttempt('r1', 'call'), () => 'first');
      return fail();
    };
    expect(await perform(operatorAttempt('r2', 'call'), run)).toEqual(['restored first', 1]);
  });

  test('that is refused completes the call, so that an earlier attempt in flight cannot take effect afterwards', async () => {
    const refuse = async () => {
      throw new ServiceError('application_not_found', { detail: 'No such application.' });
    };
    expect(await perform(operatorAttempt('r2', 'call'), refuse)).toEqual([
      'application_not_found: No such application.',
      1,
    ]);
    await expect(write(operatorAttempt('r1', 'call'), () => 'first', true)).rejects.toThrow('No such application.');
    expect(memory.table.get(key)).toBeUndefined();
  });

  test('that is refused counts no longer if another attempt has completed the call by then', async () => {
    const run = async () => {
      await write(operatorAttempt('r1', 'call'), () => 'first');
      throw new ServiceError('application_not_found', { detail: 'No such application.' });
    };
    expect(await perform(operatorAttempt('r2', 'call'), run)).toEqual(['restored first', 1]);
  });

  test('does not look for other attempts of a call without a name', async () => {
    expect(await perform(operatorAttempt('r1'), async () => 'first')).toEqual(['first', 1]);
    const { attempt: _, ...read } = operatorAttempt('r1');
    expect(await perform(read, fail)).toEqual(['failed', 1]);
    expect(commands()).toEqual([]);
  });
});
