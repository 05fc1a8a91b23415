import { marshall } from '@aws-sdk/util-dynamodb';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import type { TestService } from './start-service.ts';

/** Returns the table's Changes as its stream delivers them on insertion, oldest first. */
export async function insertedChanges(service: TestService): Promise<StreamRecord[]> {
  const items = [...(await service.items())].filter(([key]) => key.includes(' CHANGE#')).map(([, item]) => item);
  return items
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
    .map(({ pk, sk, ...item }, at) => ({
      dynamodb: {
        SequenceNumber: String(100_000 + at),
        Keys: marshall({ pk, sk }),
        NewImage: marshall({ pk, sk, ...item }, { removeUndefinedValues: true }),
      },
    }));
}
