import { setTimeout as pause } from 'node:timers/promises';
import type { AskApplication } from './ask-application.ts';
import { type Bench, type ConformanceCase, conformanceCases, similarRoles } from './conformance-cases.ts';
import { admitted, UnmetExpectation } from './expectations.ts';

/** The result of a case. */
export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  /** Of a failed case. */
  readonly expected?: string;
  readonly seen?: string;
  /** The last request of the application to the service in a failed case, and the status of the answer. */
  readonly lastRequest?: string;
  /** Of a skipped case: the option or the case that it needs. */
  readonly needs?: string;
  readonly seconds: number;
}

/** The application gave no answer at all, so nothing can be said about it. */
export class UnreachableError extends Error {}

/** How long an application may take to answer at all, and to admit the user again after a case. */
const startMilliseconds = 300_000;
const settleMilliseconds = 20_000;

/** Waits until the application answers, and runs the cases in turn; `report` receives each result. */
export async function runCases(
  bench: Bench,
  ask: AskApplication,
  report: (result: CaseResult) => void,
): Promise<readonly CaseResult[]> {
  await restore(bench);
  await waitForAnswer(ask);
  const results: CaseResult[] = [];
  for (const each of conformanceCases) {
    const needs = each.lacks?.(bench.options) ?? unmetNeed(each, results);
    const { name, title } = each;
    const result = needs
      ? ({ name, title, result: 'skipped', needs, seconds: 0 } as const)
      : await runCase(each, bench);
    results.push(result);
    report(result);
  }
  return results;
}

async function waitForAnswer(ask: AskApplication): Promise<void> {
  const end = performance.now() + startMilliseconds;
  while (typeof (await ask()) !== 'number') {
    if (performance.now() > end)
      throw new UnreachableError(`The application has not answered for ${startMilliseconds / 1000} s`);
    await pause(200);
  }
}

/** An application that never admits the user refuses everyone, which says nothing. */
function unmetNeed({ needs }: ConformanceCase, results: readonly CaseResult[]): string | undefined {
  const isOk = (name: string) => results.some((each) => each.name === name && each.result === 'ok');
  const [first] = results;
  return [first?.name, needs].find((name) => name !== undefined && !isOk(name));
}

async function runCase({ name, title, run }: ConformanceCase, bench: Bench): Promise<CaseResult> {
  const start = performance.now();
  const { service, served, options } = bench;
  let asked = service.requests.length;
  const finish = () => ({ name, title, seconds: Math.round((performance.now() - start) / 100) / 10 });
  try {
    await restore(bench);
    await bench.expect.within(options.withinMilliseconds + settleMilliseconds, admitted);
    asked = Math.max(asked, service.requests.length - 1);
    await run(bench);
    return { ...finish(), result: 'ok' };
  } catch (error) {
    if (!(error instanceof UnmetExpectation)) throw error;
    const { expected, seen } = error;
    const { method, path, status } = service.requests.slice(asked).at(-1) ?? {};
    const lastRequest = method === undefined ? 'none' : `${method} ${path} (${status ?? 'no answer'})`;
    return { ...finish(), result: 'failed', expected, seen, lastRequest };
  } finally {
    service.recover();
    served.deceive(undefined);
  }
}

/** Makes the user exist and have access, with the role alone. */
async function restore({ service, options }: Bench): Promise<void> {
  const { userId, role } = options;
  await service.createUser(userId).catch(ignoreExisting);
  await service.setUserStatus(userId, 'active');
  await service.setAccess(userId, { status: 'enabled' });
  if (role === undefined) return;
  for (const similar of similarRoles(options)) await service.revokeRole(userId, similar);
  await service.assignRole(userId, { role, expiresAt: null });
}

function ignoreExisting(error: unknown): void {
  if (Object(error).code !== 'already_exists') throw error;
}
