import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { makeStubFolder } from '#test/cli/stub-folder.ts';
import { type StubService, startStub } from '#test/cli/stub-service.ts';
import { verdictsOf } from './verdicts.ts';

/** A stub that judges changes, for the tests of a file. Read its members inside tests and hooks. */
export interface VerifyingService {
  readonly stub: StubService;
  /** The folder that names the stub. */
  readonly home: string;
  /** An empty folder for the current test. */
  readonly folder: string;
}

export function verifyingService(): VerifyingService {
  let stub: StubService;
  let place: ReturnType<typeof makeStubFolder>;
  let folder: string;
  beforeAll(async () => {
    stub = await startStub();
    place = makeStubFolder(stub.url);
  });
  beforeEach(() => {
    stub.reset();
    stub.on('POST /changes/verify', verdictsOf);
    folder = mkdtempSync(join(place.folder, 'export-'));
  });
  afterAll(async () => {
    place.remove();
    await stub.close();
  });
  return {
    get stub() {
      return stub;
    },
    get home() {
      return place.folder;
    },
    get folder() {
      return folder;
    },
  };
}
