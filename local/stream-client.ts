import * as v from 'valibot';
import { localAccess } from './local-credentials.ts';

const recordSchema = v.looseObject({
  eventName: v.string(),
  dynamodb: v.looseObject({
    SequenceNumber: v.string(),
    /** Seconds since 1970. */
    ApproximateCreationDateTime: v.optional(v.number()),
  }),
});

/** A stream record, in the format that Lambda delivers. */
export type StreamRecord = v.InferOutput<typeof recordSchema>;

/** The number of records that one request reads, which is the maximum (DynamoDB Streams API reference, GetRecords). */
export const pageSize = 1000;

/** The poller's requests to a table's stream. */
export interface StreamClient {
  /** The shards, oldest first. */
  listShards(streamArn: string): Promise<string[]>;
  /** The next records after a sequence number, or the oldest records without one. */
  readRecords(streamArn: string, shardId: string, after: string | undefined): Promise<StreamRecord[]>;
}

/**
 * Creates a client for the DynamoDB Streams protocol (Amazon DynamoDB API reference, JSON 1.0), which avoids another
 * SDK package for three calls to an emulator.
 */
export function createStreamClient(endpoint: string): StreamClient {
  const call = <Schema extends v.GenericSchema>(operation: string, input: object, schema: Schema) =>
    send(endpoint, operation, input, schema);
  return {
    listShards: async (StreamArn) => {
      const { StreamDescription } = await call('DescribeStream', { StreamArn }, descriptionSchema);
      return StreamDescription.Shards.map(({ ShardId }) => ShardId);
    },
    readRecords: async (StreamArn, ShardId, after) => {
      const position =
        after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      const { ShardIterator } = await call('GetShardIterator', { StreamArn, ShardId, ...position }, iteratorSchema);
      const { Records } = await call('GetRecords', { ShardIterator, Limit: pageSize }, recordsSchema);
      return Records;
    },
  };
}

const descriptionSchema = v.object({
  StreamDescription: v.object({ Shards: v.array(v.object({ ShardId: v.string() })) }),
});
const iteratorSchema = v.object({ ShardIterator: v.string() });
const recordsSchema = v.object({ Records: v.array(recordSchema) });

async function send<Schema extends v.GenericSchema>(
  endpoint: string,
  operation: string,
  input: object,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      ...placeholderSignature,
    },
    body: JSON.stringify(input),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${JSON.stringify(answer)}`);
  return v.parse(schema, answer);
}

/** Emulators select the database by credential and verify neither the date nor the signature. */
export const placeholderSignature = {
  authorization: [
    `AWS4-HMAC-SHA256 Credential=${localAccess.credentials.accessKeyId}/20260101/${localAccess.region}/dynamodb/aws4_request`,
    'SignedHeaders=host',
    'Signature=0',
  ].join(', '),
  'x-amz-date': '20260101T000000Z',
};
