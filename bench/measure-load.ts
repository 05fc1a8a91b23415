import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type autocannon from 'autocannon';
import { createServiceCaller } from '#shared/calls/call-service.ts';
import { accessStatuses } from '#shared/contract/access-statuses.ts';
import { LocalError } from '../local/local-error.ts';
import { createLocalManagement } from '../local/local-management.ts';
import type { SeededExample } from '../local/seed-example.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';

const users = 200;
/** The first warms up. */
const plan = [
  { connections: 10, duration: 10 },
  { connections: 1, duration: 15 },
  { connections: 50, duration: 15 },
  { connections: 10, duration: 60 },
] as const;

/** A service, an API key for it, and the users and roles that the requests are about. */
export type LoadTarget = Pick<SeededExample, 'baseUrl' | 'keyId' | 'secret' | 'userIds' | 'roles'>;

/** Sends a mix of requests to `npm start` with different numbers of connections. */
export async function measureLoad({ directory, progress }: BenchContext): Promise<Measurement> {
  const send = requireAutocannon();
  progress('Starting npm start');
  const service = await startLocalService(join(directory, 'data'));
  try {
    const target = await createUsers(service);
    const setupRequest = (request: autocannon.Request) => ({ ...request, ...signedRequest(target, randomInt(100)) });
    const results: autocannon.Result[] = [];
    for (const step of plan) {
      progress(`${step.duration} s with ${step.connections} connections`);
      results.push(await send({ ...step, url: target.baseUrl, timeout: 30, requests: [{ setupRequest }] }));
    }
    return report(results);
  } finally {
    await service.stop();
  }
}

function requireAutocannon(): typeof autocannon {
  const folder = join(import.meta.dirname, '../.ci/checks/node_modules/autocannon');
  if (existsSync(folder)) return createRequire(import.meta.url)(folder);
  throw new LocalError('autocannon is not installed. Install it with: npm ci --prefix .ci/checks');
}

async function createUsers({ example }: LocalService): Promise<LoadTarget> {
  const manage = createLocalManagement(example.manageUrl, example);
  const userIds = Array.from({ length: users }, (_, at) => `load-${at}`);
  for (const userId of userIds) await manage.call('create-user', { path: { userId } });
  return { ...example, userIds };
}

/** A request for a random user, with its own signature and nonce: of a hundred 90 GET, 8 PUT, and 2 assign or revoke a role. */
export function signedRequest(
  { baseUrl, userIds, roles, keyId, secret }: LoadTarget,
  percent: number,
): autocannon.Request {
  const { sign } = createServiceCaller(baseUrl);
  const key = { keyId, secret };
  const [path, role] = [{ userId: pick(userIds) }, pick(roles)];
  const choose = () => {
    if (percent < 90) return sign('get-access', { path }, key);
    if (percent < 98) {
      return sign('set-access', { path, body: { status: pick(accessStatuses), reason: pick(['a', 'b', 'c']) } }, key);
    }
    if (percent === 98) return sign('assign-role', { path, body: { role } }, key);
    return sign('revoke-role', { path, query: { role } }, key);
  };
  const { method, url, headers, body = '' } = choose();
  return { method: method as autocannon.Request['method'], path: url.replace(baseUrl, ''), body, headers };
}

function pick<T>(values: readonly T[]): T {
  return values[randomInt(values.length)] as T;
}

function report(results: readonly autocannon.Result[]): Measurement {
  const failed = results.reduce((sum, { errors, timeouts, non2xx }) => sum + errors + timeouts + non2xx, 0);
  const rows = results.slice(1).map(({ connections, duration, requests, latency: { p50, p99 } }) => {
    return [connections, duration.toFixed(0), requests.average.toFixed(0), p50, p99];
  });
  return {
    budgets: [atMost('load: requests that failed', failed, 0)],
    samples: results,
    report: [
      `\`npm start\` with its gateway, functions, publisher and database, and ${users} users: 90 % GET, 8 % PUT, 2 % roles assigned and revoked, each request with its own signature and nonce. The load comes from the same machine, so this shows that nothing fails; it says nothing about AWS.`,
      markdownTable(['connections', 'seconds', 'requests per second', 'p50, ms', 'p99, ms'], rows),
    ],
  };
}
