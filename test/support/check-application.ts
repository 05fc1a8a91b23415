import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { CaseResult } from '../../client/conformance/run-cases.ts';
import { freePort } from './free-port.ts';
import type { ProjectFolder } from './run-document.ts';

/** The cases about roles, and one that differs from an outage only by its cause. */
const skippedWhenOpen = ['role-revoked', 'similar-role', 'role-ended', 'earlier-answer'];

/** What the application says about itself: its route is for editors, or open to all users in an outage. */
const promises = { editor: ['--role', 'editor'], open: ['--outage', 'open'] } as const;

/**
 * Expects that an application obeys in all cases of the command of the SDK's package, which must be built. The command starts the
 * program with `PORT` and the address and key of the service.
 */
export async function expectObeys(
  { path }: ProjectFolder,
  promise: keyof typeof promises,
  program: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const cases = await check(join(path, 'client/package/dist/conformance.js'), promises[promise], program, options);
  expect(cases).toHaveLength(16);
  const named = (wanted: CaseResult['result']) =>
    cases.filter(({ result }) => result === wanted).map(({ name }) => name);
  expect(cases.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(named('skipped')).toEqual(promise === 'open' ? skippedWhenOpen : []);
}

async function check(
  command: string,
  promised: readonly string[],
  program: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<readonly CaseResult[]> {
  const [port, own] = [await freePort(), await freePort()];
  const limits = ['--within', '2s', '--answer-within', '6s', '--port', `${own}`, '--json'];
  const who = ['--url', `http://127.0.0.1:${port}/`, '--user-header', 'x-user', ...promised];
  const args = [command, 'conformance', ...limits, ...who, '--', 'env', `PORT=${port}`, ...program];
  // The exit code is 1 if a case failed, which the caller shows.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
  }).catch((error) => error);
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout).cases;
}
