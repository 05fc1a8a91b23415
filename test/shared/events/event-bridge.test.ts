import { expect, test } from '@jest/globals';

test('the publisher fails at cold start when nobody has named its event bus', async () => {
  delete process.env.EVENT_BUS_NAME;
  await expect(import('#shared/events/event-bridge.ts')).rejects.toThrow(
    'The environment variable EVENT_BUS_NAME is missing',
  );
});
