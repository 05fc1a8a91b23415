import { expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import type { Answer } from '../support/send-request.ts';
import { startBundles } from '../support/start-service.ts';

const service = describeService(startBundles);
const manage = manageClient(() => service);

test("the deployed functions enforce one application's limit and serve the others", async () => {
  await manage('iam', 'PATCH', '/applications/billing', { body: { requestsPerSecond: 1 } });
  const read = (key = service.billingKey) => service.request(['GET', '/api/service/users/ada/access'], { key });
  const answers: Answer[] = [];
  for (let n = 0; n < 60; n++) answers.push(await read());
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(refused[0]?.headers).toMatchObject({ ratelimit: expect.stringMatching(/^"app";r=0;t=[1-5]$/) });
  for (let n = 0; n < 10; n++) expect((await read(service.wikiKey)).status).toBe(200);
});
