import { describe, expect, test } from '@jest/globals';
import { describeStub } from '#test/cli/describe-stub.ts';
import { runHere } from '#test/cli/run-here.ts';
import { testRequests } from '#test/cli/sent-request.ts';
import { problem } from '#test/cli/stub-service.ts';

describe('the command repair sends its signed request and prints what it found', () => {
  testRequests([
    [
      'repair --cursor c+',
      'POST /repair',
      { query: 'limit=100&cursor=c%2B&dryRun=false' },
      { checked: 3, findings: [{ kind: 'member', repaired: true, userId: 'ada', appId: 'billing' }], cursor: null },
      'Checked 3 items, found 1 difference.',
    ],
  ]);
});

describe('the command repair', () => {
  const { stub, place } = describeStub();

  test('with a cursor that is refused is not to be continued with the same one', async () => {
    stub.on('POST /repair', problem('invalid_request', 'Start again without a cursor.'));
    const { code, stderr } = await runHere(['repair', '--cursor', 'bad'], { cwd: place.folder });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('Continue with')]);
  });

  test('shows the deployment, which it changes', async () => {
    stub.on('POST /repair', { body: { checked: 1, findings: [], cursor: null } });
    expect((await runHere(['repair'], { cwd: place.folder })).stderr).toContain(`Deployment: local, ${stub.url}\n`);
  });
});
