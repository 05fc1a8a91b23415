import { afterAll, beforeAll } from '@jest/globals';
import { startSources, type TestService } from './start-service.ts';

/**
 * Starts a service for the tests of the file or the `describe`, and stops it after them. Its members are there once it runs, so
 * read them inside tests and hooks.
 */
export function describeService(start: () => Promise<TestService> = startSources): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  afterAll(() => service.stop());
  return service;
}
