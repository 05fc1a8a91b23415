import { expect, test } from '@jest/globals';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

const Records = ['100', '200'].map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));

test('a reader of the stream passes on the records, and finishes a batch that is done', async () => {
  const taken: unknown[] = [];
  const handle = streamHandler(async (records) => {
    taken.push(...records);
    return undefined;
  });
  expect(await handle({ Records })).toEqual({ batchItemFailures: [] });
  expect(taken).toEqual(Records);
});

test('a batch is delivered again from the record that was not done', async () => {
  const handle = streamHandler(async () => '200');
  expect(await handle({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '200' }] });
});
