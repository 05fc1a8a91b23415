import { afterAll, beforeAll, expect } from '@jest/globals';
import type { TestService } from './start-service.ts';

/** Requires that the tests of a `describe`, all together, leave the table as it is. */
export function writeNothing(service: () => TestService): void {
  let before: Awaited<ReturnType<TestService['items']>>;
  beforeAll(async () => {
    before = await service().items();
  });
  afterAll(async () => {
    expect(await service().items()).toEqual(before);
  });
}
