import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExactInput, ManagementInput } from '#client/management/management-request.ts';
import { createServiceCaller } from '#shared/calls/call-service.ts';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import { documentationOf, exampleRequest } from '#shared/contract/documents.ts';
import {
  type ManageAnswers,
  manageOperations,
  type ServiceOperationName,
  type ServiceOperations,
  serviceOperations,
} from '#shared/contract/operations.ts';
import type { Service } from '../cli/service/find-service.ts';
import { createManageClient } from '../cli/service/manage-client.ts';
import { bearerProbes } from './bearer-probes.ts';
import { cleanUp } from './clean-up.ts';
import { managementPhases, managementProbes } from './management-probes.ts';
import { refusalProbes, revokedKeyProbe } from './refusal-probes.ts';
import { serviceProbes } from './service-probes.ts';
import { hasRoute, keyOf, type Trial } from './trial.ts';

export interface SmokeOptions {
  /** The Service API, without a slash at the end. */
  readonly api: string;
  /** The Management API with the credentials to sign with. */
  readonly service: Service;
  /** The run's id, 2 to 30 characters of a to z, 0 to 9 and hyphen. Default: a random one. */
  readonly id?: string | undefined;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

export interface SmokeResult {
  readonly tried: number;
  readonly failed: number;
  /** Why something is left behind; undefined when nothing is. */
  readonly left: string | undefined;
}

interface Step {
  readonly name: string;
  /** Runs the check once; returns a detail to print. */
  readonly run: (trial: Trial) => Promise<string | undefined>;
  readonly withinSeconds?: number | undefined;
  readonly needed?: boolean | undefined;
}

/**
 * Runs every check in turn, prints a line for each, and deletes what the run created, even if a check fails or the run is
 * aborted.
 */
export async function runSmokeTest(options: SmokeOptions): Promise<SmokeResult> {
  const { print, signal } = options;
  const trial = createTrial(options);
  let [tried, failed] = [0, 0];
  for (const step of stepsOf(options)) {
    if (signal.aborted) break;
    tried++;
    const isAsExpected = await tryStep(step, trial, print);
    if (isAsExpected) continue;
    failed++;
    if (step.needed) break;
  }
  const left = await cleanUp(trial).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
  print(left === undefined ? line('ok', 'nothing left behind', 0) : line('FAILED', 'nothing left behind', 0, left));
  return { tried, failed, left };
}

/** Creates a run with unique ids: the id of an application can never be used again. */
export function createTrial({ api, service, signal, print, id = randomId() }: SmokeOptions): Trial {
  const bulkIds = [newBulkId(Date.now()), newBulkId(Date.now())] as const;
  const manage = createManageClient({ service: () => service, note: print });
  const caller = createServiceCaller(api);
  return {
    id,
    appId: `smoke-${id}`,
    userId: `smoke-${id}`,
    role: 'smoke',
    bulkIds,
    manage,
    service: caller,
    signal,
  };
}

/** All checks, in order. */
function stepsOf({ api, service }: Pick<SmokeOptions, 'api' | 'service'>): readonly Step[] {
  return [
    ...managementPhases.preparation.map(managementStep),
    ...serviceSteps(),
    ...refusalProbes({ api, manage: service.url }),
    ...bearerProbes({ api }),
    ...managementPhases.operation.map(managementStep),
    revokedKeyProbe,
    ...managementPhases.deletion.map(managementStep),
  ];
}

function managementStep<Name extends keyof typeof managementProbes>(name: Name): Step {
  const { request, check, skip, ...probe } = managementProbes[name];
  const { method, path } = manageOperations[name];
  const run = async (trial: Trial) => {
    const reason = skip?.(trial);
    if (reason !== undefined) return reason;
    // The call of an operation is exact, which TypeScript sees only for a single operation.
    const call = request(trial) as ManagementInput<Name> & ExactInput<Name, ManagementInput<Name>>;
    const answer = await trial.manage.call<Name, ManagementInput<Name>>(name, call);
    return check?.(answer as ManageAnswers[Name], trial);
  };
  return { ...probe, name: `${name}  ${method} ${path}`, run };
}

function serviceSteps(): Step[] {
  const names = new Set([...Object.keys(serviceProbes), ...Object.keys(serviceOperations)]);
  return [...names].map((name) => serviceStep(name as ServiceOperationName));
}

function serviceStep<Name extends ServiceOperationName>(name: Name): Step {
  const { request, check, ...probe } = serviceProbes[name] ?? {};
  const operation: ServiceOperations[Name] = serviceOperations[name];
  const run = async (trial: Trial) => {
    const call = request?.(trial) ?? exampleRequest(operation, trial.userId);
    const { onlyWith } = documentationOf(operation);
    const unsigned = () => ({ ...trial.service.sign(name, call, keyOf(trial)), headers: {} });
    if (onlyWith !== undefined && !(await hasRoute(trial, unsigned()))) return `only with the setting ${onlyWith}`;
    return check?.(await trial.service.call(name, call, keyOf(trial)), trial);
  };
  return { ...probe, name: `${name}  ${operation.method} ${operation.path}`, run };
}

async function tryStep({ name, run, withinSeconds = 0 }: Step, trial: Trial, print: SmokeOptions['print']) {
  const startedAt = Date.now();
  for (;;) {
    try {
      const detail = await run(trial);
      print(line('ok', name, Date.now() - startedAt, detail));
      return true;
    } catch (error) {
      const took = Date.now() - startedAt;
      if (took >= withinSeconds * 1000 || trial.signal.aborted) {
        print(line('FAILED', name, took, messageOf(error)));
        return false;
      }
      await pause(200);
    }
  }
}

function line(outcome: string, name: string, milliseconds: number, detail?: string): string {
  const text = detail === undefined ? name : `${name}: ${detail}`;
  return `${outcome.padEnd(6)} ${String(milliseconds).padStart(6)} ms  ${text}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** 50 random bits as ten letters and digits. */
function randomId(): string {
  return Array.from(randomBytes(10), (byte) => (byte % 32).toString(32)).join('');
}
