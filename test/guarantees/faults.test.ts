import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { type Fault, recordKeyUse, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const access = '/api/service/users/ada/access';

const service = describeService();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
  await recordKeyUse(sdk, () => service.request(['GET', access]));
});
beforeEach(() => {
  sdk.requests.length = 0;
});
afterEach(() => {
  sdk.fault = undefined;
});

let reasons = 0;
const disable = () => ({ body: { status: 'disabled', reason: `for the ${++reasons}. time` } });
const metadata = { $metadata: {}, message: 'injected' };

function cancelledBy(...codes: string[]): TransactionCanceledException {
  return new TransactionCanceledException({ ...metadata, CancellationReasons: codes.map((Code) => ({ Code })) });
}

/** Injects the fault into the first requests of a command, as often as given. */
function first(times: number, command: string, fault: Fault): Fault {
  let injected = 0;
  return (request, send) => (request.command === command && injected++ < times ? fault(request, send) : send());
}

function timeOut(): Error {
  return Object.assign(new Error('injected'), { name: 'TimeoutError' });
}

/** The table executes the request, but its response is lost. */
const loseAnswer: Fault = async (_, send) => {
  await send();
  throw timeOut();
};

/** A response without any item, as DynamoDB returns when a partition is busy, with plain keys as in the document client. */
const leaveUnprocessed: Fault = async ({ input }) => {
  const [[table = '', { Keys }] = ['', { Keys: [] }]] = Object.entries<{ Keys: Parameters<typeof unmarshall>[0][] }>(
    input.RequestItems,
  );
  const UnprocessedKeys = { [table]: { Keys: Keys.map((key) => unmarshall(key)) } };
  return { response: { statusCode: 200 }, output: { $metadata: {}, Responses: {}, UnprocessedKeys } };
};

const refuse =
  (error: () => Error): Fault =>
  async () => {
    throw error();
  };

/** Changes the user as if it had been erased and recreated. */
async function recreateAda(createdAt: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint: service.endpoint });
  await client.send(
    new UpdateItemCommand({
      TableName: process.env.TABLE_NAME,
      Key: { pk: { S: 'USER#ada' }, sk: { S: 'USER' } },
      UpdateExpression: 'SET createdAt = :at',
      ExpressionAttributeValues: { ':at': { S: createdAt } },
    }),
  );
  client.destroy();
}

const transactions = () => sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');

describe('a transaction', () => {
  test('a failed transaction leaves nothing behind', async () => {
    const before = await service.items();
    let recreated = 0;
    sdk.fault = async ({ command }, send) => {
      // Between read and write the user is recreated: the third condition fails, after those of nonce and access
      // passed.
      if (command === 'TransactWriteItemsCommand') await recreateAda(`created ${++recreated}`);
      return send();
    };
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.code, recreated]).toEqual([503, 'unavailable', 5]);
    await recreateAda(String(before.get('USER#ada USER')?.createdAt));
    expect(await service.items()).toEqual(before);
  });

  test('after a conflict the request reads, decides and writes again', async () => {
    sdk.fault = first(
      4,
      'TransactWriteItemsCommand',
      refuse(() => cancelledBy('None', 'TransactionConflict', 'None')),
    );
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed]).toEqual([200, true]);
    expect(sdk.requests.filter(({ command }) => command === 'BatchGetItemCommand')).toHaveLength(5);
  });

  test('a request whose transaction conflicts five times answers 503 with Retry-After', async () => {
    sdk.fault = first(
      5,
      'TransactWriteItemsCommand',
      refuse(() => cancelledBy('TransactionConflict')),
    );
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  });

  test('a transaction whose response is lost takes effect once and is not a replay', async () => {
    sdk.fault = first(1, 'TransactWriteItemsCommand', loseAnswer);
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed]).toEqual([200, true]);
    const tokens = transactions().map(({ input }) => input.ClientRequestToken);
    expect(new Set(tokens).size).toBe(1);
    expect(tokens).toHaveLength(2);
  });

  test('a transaction that finds the nonce of its own request reports its earlier success', async () => {
    const { body: before } = await service.request(['GET', access]);
    // A delayed copy takes effect although this process got a conflict with another transaction.
    sdk.fault = first(1, 'TransactWriteItemsCommand', async (_, send) => {
      await send();
      throw cancelledBy('None', 'TransactionConflict');
    });
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed, answer.body.version]).toEqual([200, true, before.version + 1]);
    expect((await service.request(['GET', access])).body.version).toBe(before.version + 1);
  });
});

describe('a nonce written alone', () => {
  test('a write that changes nothing is not a replay if the response to writing its nonce is lost', async () => {
    const same = disable();
    await service.request(['PUT', access], same);
    sdk.fault = first(1, 'PutItemCommand', loseAnswer);
    const answer = await service.request(['PUT', access], same);
    expect([answer.status, answer.body.changed]).toEqual([200, false]);
  });

  test('a refusal stays a refusal if the response to writing its nonce is lost', async () => {
    sdk.fault = first(1, 'PutItemCommand', loseAnswer);
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([404, 'user_not_found']);
  });

  test('a refusal is not sent if its nonce cannot be written', async () => {
    sdk.fault = first(3, 'PutItemCommand', refuse(timeOut));
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  });

  test('a refusal with the nonce of another request is a replay', async () => {
    sdk.fault = first(1, 'PutItemCommand', async () => {
      const ttl = { N: String(Math.ceil(Date.now() / 1000) + 605) };
      throw new ConditionalCheckFailedException({
        ...metadata,
        Item: { requestId: { S: 'another' }, request: { S: 'R' }, ttl },
      });
    });
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([409, 'nonce_replayed']);
  });
});

describe('a read', () => {
  test('a read retries the keys that DynamoDB left unprocessed', async () => {
    sdk.fault = first(1, 'BatchGetItemCommand', leaveUnprocessed);
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.userId, sdk.requests.length]).toEqual([200, 'ada', 2]);
  });

  test('a read whose keys stay unprocessed answers 503 and never 401', async () => {
    sdk.fault = leaveUnprocessed;
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  });
});

describe('DynamoDB', () => {
  const throttled = () => new ProvisionedThroughputExceededException({ ...metadata });

  test.each(['GET', 'PUT'])('a throttled %s is retried by the SDK, then answers 503', async (method) => {
    sdk.fault = refuse(throttled);
    const answer = await service.request([method, access], method === 'PUT' ? disable() : {});
    expect([answer.status, answer.body.code, sdk.requests.length]).toEqual([503, 'unavailable', 3]);
  });

  test.each(['GET', 'PUT'])(
    'a %s that cannot reach DynamoDB answers 503 after a few attempts and never 401',
    async (method) => {
      sdk.fault = refuse(() => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      const answer = await service.request([method, access], method === 'PUT' ? disable() : {});
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
      expect(sdk.requests.length).toBeLessThanOrEqual(6);
    },
  );

  test('a request that DynamoDB rejects as invalid gets 500 without details', async () => {
    sdk.fault = refuse(() => Object.assign(new Error('secret detail'), { name: 'ValidationException' }));
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.code]).toEqual([500, 'internal']);
    expect(JSON.stringify(answer.body)).not.toContain('secret detail');
  });
});
