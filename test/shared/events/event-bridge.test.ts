import { expect, test } from '@jest/globals';

test('the publisher fails at cold start if EVENT_BUS_NAME is missing', async () => {
  delete process.env.EVENT_BUS_NAME;
  await expect(import('#shared/events/event-bridge.ts')).rejects.toThrow(
    'The environment variable EVENT_BUS_NAME is missing',
  );
});
