import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { makeStubFolder } from './stub-folder.ts';
import { createStub, type StubService } from './stub-service.ts';

/** A stub of the Management API for the tests of a file, and a folder that names it. */
export interface DescribedStub {
  /** It answers nothing at the beginning of each test. */
  readonly stub: StubService;
  readonly place: { readonly folder: string };
}

/** Starts a stub before the tests of a file or a `describe`, and stops it after them. */
export function describeStub(): DescribedStub {
  const stub = createStub();
  const place = { folder: '', remove: (): void => undefined };
  beforeAll(async () => {
    await stub.start();
    Object.assign(place, makeStubFolder(stub.url));
  });
  beforeEach(() => stub.reset());
  afterAll(async () => {
    place.remove();
    await stub.close();
  });
  return { stub, place };
}
