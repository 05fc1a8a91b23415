import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startSources, type TestService } from '../support/start-service.ts';
import { type Fault, type WatchedSdk, watchSdk } from '../support/watch-sdk.ts';

const access = '/api/service/users/ada/access';

let service: TestService;
let sdk: WatchedSdk;
beforeAll(async () => {
  service = await startSources();
  const { dynamoDb } = await import('#shared/table/client.ts');
  sdk = watchSdk(dynamoDb);
  // The first use of a key in a process is noted; see key-use.test.ts.
  await service.request(['GET', access]);
});
afterAll(() => service.stop());
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

/** The fault for the first so many requests of a command. */
function first(times: number, command: string, fault: Fault): Fault {
  let met = 0;
  return (request, send) => (request.command === command && met++ < times ? fault(request, send) : send());
}

function timeOut(): Error {
  return Object.assign(new Error('injected'), { name: 'TimeoutError' });
}

/** The table does what was asked, and its answer is lost. */
const loseAnswer: Fault = async (_, send) => {
  await send();
  throw timeOut();
};

/** An answer without a single item, as DynamoDB gives it when a partition is busy; here already in the document client's form. */
/** With plain keys, as the document client answers. */
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

/** As if the user had been erased and created anew. */
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
  test('that fails leaves nothing behind', async () => {
    const before = await service.items();
    let recreated = 0;
    sdk.fault = async ({ command }, send) => {
      // Between read and write the user becomes another one: the third condition fails, after nonce and access were fine.
      if (command === 'TransactWriteItemsCommand') await recreateAda(`moment ${++recreated}`);
      return send();
    };
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.code, recreated]).toEqual([503, 'unavailable', 5]);
    await recreateAda(String(before.get('USER#ada USER')?.createdAt));
    expect(await service.items()).toEqual(before);
  });

  test('that meets another one is read, decided and sent again', async () => {
    sdk.fault = first(
      4,
      'TransactWriteItemsCommand',
      refuse(() => cancelledBy('None', 'TransactionConflict', 'None')),
    );
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed]).toEqual([200, true]);
    expect(sdk.requests.filter(({ command }) => command === 'BatchGetItemCommand')).toHaveLength(5);
  });

  test('that meets others five times is 503 with Retry-After', async () => {
    sdk.fault = first(
      5,
      'TransactWriteItemsCommand',
      refuse(() => cancelledBy('TransactionConflict')),
    );
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  });

  test('whose answer is lost has taken effect once, and is no replay', async () => {
    sdk.fault = first(1, 'TransactWriteItemsCommand', loseAnswer);
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed]).toEqual([200, true]);
    const tokens = transactions().map(({ input }) => input.ClientRequestToken);
    expect(new Set(tokens).size).toBe(1);
    expect(tokens).toHaveLength(2);
  });

  test('that meets the nonce of its own request has taken effect before, and answers so', async () => {
    const { body: before } = await service.request(['GET', access]);
    // A delayed copy: it takes effect although this process believes that it met another transaction.
    sdk.fault = first(1, 'TransactWriteItemsCommand', async (_, send) => {
      await send();
      throw cancelledBy('None', 'TransactionConflict');
    });
    const answer = await service.request(['PUT', access], disable());
    expect([answer.status, answer.body.changed, answer.body.version]).toEqual([200, true, before.version + 1]);
    expect((await service.request(['GET', access])).body.version).toBe(before.version + 1);
  });
});

describe('a lone nonce', () => {
  test('whose answer is lost is no replay of an idle write', async () => {
    const same = disable();
    await service.request(['PUT', access], same);
    sdk.fault = first(1, 'PutItemCommand', loseAnswer);
    const answer = await service.request(['PUT', access], same);
    expect([answer.status, answer.body.changed]).toEqual([200, false]);
  });

  test('whose answer is lost does not turn a refusal into a success', async () => {
    sdk.fault = first(1, 'PutItemCommand', loseAnswer);
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([404, 'user_not_found']);
  });

  test('that cannot be written leaves a refusal unsent', async () => {
    sdk.fault = first(3, 'PutItemCommand', refuse(timeOut));
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  });

  test('of a stranger is a replay', async () => {
    sdk.fault = first(1, 'PutItemCommand', async () => {
      throw new ConditionalCheckFailedException({ ...metadata, Item: { requestId: { S: 'another' } } });
    });
    const answer = await service.request(['PUT', '/api/service/users/nobody/access'], disable());
    expect([answer.status, answer.body.code]).toEqual([409, 'nonce_replayed']);
  });
});

describe('a read', () => {
  test('asks again for what DynamoDB left unprocessed', async () => {
    sdk.fault = first(1, 'BatchGetItemCommand', leaveUnprocessed);
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.userId, sdk.requests.length]).toEqual([200, 'ada', 2]);
  });

  test('that keeps being left unprocessed is 503 and never a 401', async () => {
    sdk.fault = leaveUnprocessed;
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  });
});

describe('DynamoDB', () => {
  const throttled = () => new ProvisionedThroughputExceededException({ ...metadata });

  test.each(['GET', 'PUT'])('that throttles a %s is asked again by the SDK, then 503', async (method) => {
    sdk.fault = refuse(throttled);
    const answer = await service.request([method, access], method === 'PUT' ? disable() : {});
    expect([answer.status, answer.body.code, sdk.requests.length]).toEqual([503, 'unavailable', 3]);
  });

  test.each(['GET', 'PUT'])(
    'that cannot be reached makes a %s 503 within the time-out and never 401',
    async (method) => {
      sdk.fault = refuse(() => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      const startedAt = performance.now();
      const answer = await service.request([method, access], method === 'PUT' ? disable() : {});
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
      expect(performance.now() - startedAt).toBeLessThan(19_000);
    },
  );

  test('that does not know our request is a 500 which says nothing', async () => {
    sdk.fault = refuse(() => Object.assign(new Error('secret detail'), { name: 'ValidationException' }));
    const answer = await service.request(['GET', access]);
    expect([answer.status, answer.body.code]).toEqual([500, 'internal']);
    expect(JSON.stringify(answer.body)).not.toContain('secret detail');
  });
});
