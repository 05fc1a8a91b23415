import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readDocument } from '#test/support/run-document.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';
import { askScim } from './support/ask-scim.ts';

const page = await readDocument('docs/integrate/directories.md');
let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

test('the limits of the page are those of the service', async () => {
  const { body } = await askScim(service, undefined, 'GET', '/ServiceProviderConfig');
  expect(page.text).toMatch(new RegExp(`results of a page +\\| ${body.filter.maxResults} `));
});
