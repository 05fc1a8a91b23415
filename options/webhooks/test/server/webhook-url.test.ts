import { afterEach, expect, test } from '@jest/globals';
import { webhookUrlProblem } from '../../server/webhook-url.ts';

afterEach(() => {
  process.env.WEBHOOK_LOOPBACK = undefined;
  process.env.AWS_EXECUTION_ENV = undefined;
  delete process.env.WEBHOOK_LOOPBACK;
  delete process.env.AWS_EXECUTION_ENV;
});

test.each([
  'https://hooks.example.com',
  'https://hooks.example.com:8443/a?b=c',
  'https://hooks.example.com:443/',
  'https://hooks.example.com/@a?b=c@d',
])('%s is accepted', (url) => {
  expect(webhookUrlProblem(url)).toBeUndefined();
});

test.each([
  ['http://hooks.example.com', 'must be an https URL'],
  ['https://user:password@hooks.example.com', 'must not contain credentials'],
  ['https://hooks.example.com/#part', 'must not have a fragment'],
  ['https://hooks.example.com:22', 'must use port 443 or one above 1023'],
  ['https://hooks.example.com:1023', 'must use port 443 or one above 1023'],
  ['https://127.0.0.1/', 'must name a host, not an address'],
  ['https://127.0.0.1./', 'must name a host, not an address'],
  ['https://2130706433/', 'must name a host, not an address'],
  ['https://0177.0.0.1/', 'must name a host, not an address'],
  ['https://0x7f.1/', 'must name a host, not an address'],
  ['https://８.８.８.８/', 'must name a host, not an address'],
  ['https://[::ffff:127.0.0.1]/', 'must name a host, not an address'],
  ['https://[fe80::1]/', 'must name a host, not an address'],
  ['http://127.0.0.1:8080/', 'must be an https URL'],
  ['https://', 'must be a URL'],
])('%s is refused', (url, problem) => {
  expect(webhookUrlProblem(url)).toBe(problem);
});

test('this machine is allowed over plain HTTP only where the local run says so, and never on Lambda', () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  expect(webhookUrlProblem('http://127.0.0.1:8080/')).toBeUndefined();
  expect(webhookUrlProblem('http://localhost:8080/')).toBe('must be an https URL');
  expect(webhookUrlProblem('http://127.0.0.2:8080/')).toBe('must be an https URL');
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  expect(webhookUrlProblem('http://127.0.0.1:8080/')).toBe('must be an https URL');
});
