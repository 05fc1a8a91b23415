import { afterAll, beforeAll, expect } from '@jest/globals';
import type { TestService } from './start-service.ts';

/**
 * Requires that the tests of a `describe` together do not change the table; `outcomes` excludes the outcomes of their
 * calls, which are stored if a refusal may depend on the time.
 */
export function writeNothing(service: () => TestService, { outcomes = true } = {}): void {
  const read = async () =>
    new Map([...(await service().items())].filter(([key]) => outcomes || !key.startsWith('NONCE#')));
  let before: Awaited<ReturnType<typeof read>>;
  beforeAll(async () => {
    before = await read();
  });
  afterAll(async () => {
    expect(await read()).toEqual(before);
  });
}
