import { BatchWriteItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { missing, type ProofStep } from './proof-step.ts';

export const indexUnitsStep: ProofStep = {
  name: 'index-units',
  title: 'write two items with index keys in a transaction, and read what it consumed',
  proves: ['index-units'],
  commands: ['aws dynamodb transact-write-items --return-consumed-capacity INDEXES'],
  expects: 'four units of the table, and two or four of the index: the evidence says which',
  timeoutMinutes: 5,
  emulationLacks: "AWS's accounting",
  async run({ account, isEmulated }) {
    const TableName = await account.output('TableName');
    const { ConsumedCapacity = [] } = await account.dynamoDb.send(
      new TransactWriteItemsCommand({
        ReturnConsumedCapacity: 'INDEXES',
        TransactItems: probeKeys.map((key) => ({
          Put: { TableName, Item: { ...key, gsi1pk: key.pk, gsi1sk: key.sk } },
        })),
      }),
    );
    const [consumed] = ConsumedCapacity;
    const units = consumed?.GlobalSecondaryIndexes?.gsi1?.CapacityUnits;
    if (units === undefined) throw missing(isEmulated, 'the answer has no units of the index');
    const each = units / probeKeys.length;
    if (each !== 1 && each !== 2) throw new Error(`the index took ${each} units for each item`);
    return { tableUnits: consumed?.Table?.CapacityUnits ?? 0, indexUnits: units, indexUnitsForEachItem: each };
  },
  async cleanUp({ account }) {
    const deletions = probeKeys.map((Key) => ({ DeleteRequest: { Key } }));
    await account.dynamoDb.send(
      new BatchWriteItemCommand({ RequestItems: { [await account.output('TableName')]: deletions } }),
    );
  },
};

/** Outside of every key shape of the service. */
const probeKeys = ['1', '2'].map((sk) => ({ pk: { S: 'PROVE' }, sk: { S: sk } }));
