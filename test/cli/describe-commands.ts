import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';

/** Starts a service for the tests of a file, and returns what runs commands against it. */
export function describeCommands() {
  const service = describeService();
  const place = { folder: '', remove: (): void => undefined };
  let folder = '';
  beforeAll(() => {
    Object.assign(place, makeStubFolder(service.manageUrl, { ...service.accessKey, region: 'local' }));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(place.folder, 'test-'));
  });
  afterAll(() => place.remove());
  /** The path of a file in a folder of the test. */
  const pathOf = (name: string) => join(folder, name);
  return {
    manage: manageClient(() => service),
    run: (...args: readonly string[]) => runHere(args, { cwd: place.folder }),
    pathOf,
    /** Writes such a file and returns its path. */
    fileOf: (name: string, content: string | Buffer) => {
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
  };
}
