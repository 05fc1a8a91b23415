import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallGuard, createCallGuard } from '../../local/iam/guard-calls.ts';
import { guardRequests } from '../../local/iam/guard-requests.ts';
import { readPolicies } from '../../local/iam/read-policies.ts';
import { openAssembly } from '../../local/read-stack.ts';
import { functionIdsOf, templateIn } from '../stack/synthesized-stack.ts';

/** Limits handlers that run in this process to the policies of their functions; everything else stays unlimited. */
export function guardSources(assembly: string, tableName: string) {
  const policies = readPolicies(openAssembly(assembly, { tableName }), tableName);
  const ids = functionIdsOf(templateIn(assembly));
  const guards = new Map<string, CallGuard>();
  const running = new AsyncLocalStorage<CallGuard>();
  const stop = guardRequests({ current: () => running.getStore(), ports: new Set() });
  const guardOf = (name: string): CallGuard => {
    const own = policies.get(ids.get(name) ?? '');
    if (own === undefined) throw new Error(`The stack has no function ${name}`);
    const guard = guards.get(name) ?? createCallGuard(own);
    guards.set(name, guard);
    return guard;
  };
  return {
    run: <Result>(name: string, work: () => Promise<Result>): Promise<Result> => running.run(guardOf(name), work),
    stop: async () => stop(),
  };
}
