import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import { storedChange } from '../../../support/stored-items.ts';

test('while the key service does not respond, nothing is published or replaced, and the batch is read again', async () => {
  process.env.ROOT_KEYS = 'k1=arn:aws:kms:eu-west-1:111122223333:key/x';
  process.env.AWS_ENDPOINT_URL_KMS = 'http://127.0.0.1:1';
  // A call to the bus would fail as well, but only after the change was replaced.
  process.env.EVENT_BUS_NAME = 'auth-service';
  process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = 'http://127.0.0.1:1';
  const { publishChanges } = await import('#shared/domain/history/change-publisher.ts');
  const [pk, sk] = ['USER#ada', 'CHANGE#a1'];
  const NewImage = marshall({ pk, sk, ...storedChange() }, { removeUndefinedValues: true });
  const record = { dynamodb: { SequenceNumber: '7', Keys: marshall({ pk, sk }), NewImage } };
  expect(await publishChanges([record])).toBe('7');
});
