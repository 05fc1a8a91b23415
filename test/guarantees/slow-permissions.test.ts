import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { checkRelease } from '../support/check-release.ts';
import { eventually } from '../support/eventually.ts';
import { type GuardedStack, startGuarded } from '../support/guarded-stack.ts';

const assembly = await synthesizeAssembly({
  stage: 'prod',
  iamRoles: '{"arn:aws:sts::111122223333:assumed-role/Admins/*":"admin"}',
});

let stack: GuardedStack;
beforeAll(async () => {
  // The check repeats for long enough, however slow this machine is.
  stack = await startGuarded(assembly, { CHECK_SECONDS: '120' });
});
afterAll(() => stack.stop());

test('a permission that IAM does not know yet delays the release, and is logged', async () => {
  stack.faults.set('get-snapshot', 'denied');
  const checking = checkRelease(stack, assembly);
  const isLogged = async () => stack.logLines.some((line) => line.includes('failed and are checked again'));
  await Promise.race([checking, eventually(isLogged, (seen) => seen)]);
  stack.faults.clear();
  const { reported, logged } = await checking;
  expect(reported).toEqual(['Succeeded']);
  expect(logged.join()).toContain('get-snapshot');
});
