import * as endpoints from '#options/endpoints.ts';
import { bearerRequest, isTokenRefused } from '#shared/calls/call-bearer-endpoint.ts';
import { createServiceCaller, parseBody, type ServiceCaller, type ServiceReply } from '#shared/calls/call-service.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { Change } from '#shared/contract/change.ts';
import type { RoleName, UserId } from '#shared/contract/fields.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import { type ServiceOperationName, type ServiceOperations, serviceOperations } from '#shared/contract/operations.ts';
import { optionTrials } from '#shared/contract/option-operations.ts';
import { invokeFunction } from '#shared/core/call-aws.ts';
import { type CanarySubject, runCanary } from './canary-run.ts';
import { type EventSource, httpEvent, routeOf, streamBatch } from './version-events.ts';

/** The versions to check, and what to check them with. */
export interface CheckedRelease {
  /** The ARN of each new version, by the name of its function. */
  readonly versions: Readonly<Record<string, string>>;
  /** The URL of the Service API, whose host the requests are signed for. */
  readonly api: string;
  /** The operator of the Management API: the ARN of the session that checks. */
  readonly operator: string;
  readonly subject: CanarySubject;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
}

/**
 * Calls each new version as its callers will, directly and so without any traffic of theirs; throws on the first unexpected
 * response, with the function, the version, what was expected and what came. A new endpoint is called without any more code.
 */
export async function checkVersions(release: CheckedRelease): Promise<void> {
  const called = new Set<string>();
  const service = createServiceCaller(release.api, async (request) => {
    const { name, ...route } = routeOf(request);
    called.add(name);
    return sendTo(release, name, request, route);
  });
  await checkService(service, release.subject);
  for (const { name } of Object.values(serviceOperations)) {
    if (name in release.versions && !called.has(name)) await probe(service, name, release.subject);
  }
  for (const [name, check] of Object.entries(otherChecks)) {
    if (name in release.versions) await check(release, name);
  }
}

/** What the canary does each minute, then the check of a list and the roles. Repeatable, also at the same time. */
async function checkService(service: ServiceCaller, subject: CanarySubject): Promise<void> {
  const { userId, key } = subject;
  await runCanary(service, subject);
  const { items } = await service.call('check-access', { body: { userIds: [userId] } }, key);
  expectThat(items[0]?.userId === userId, 'check-access', `the access of ${userId}`, items);
  const path = { userId: userId as UserId };
  const grant = { role: subject.role as RoleName, reason: 'canary' };
  const assigned = await service.call('assign-role', { path, body: grant }, key);
  expectThat('changed' in assigned, 'assign-role', 'the changed access', assigned);
  const revoked = await service.call('revoke-role', { path, body: grant }, key);
  expectThat('changed' in revoked, 'revoke-role', 'the changed access', revoked);
}

/**
 * An endpoint without a check of its own: it may refuse the request, but as a service that reads its table. That the canary's key
 * lacks a scope is in the table.
 */
async function probe<Name extends ServiceOperationName>(
  service: ServiceCaller,
  name: Name,
  { userId, key }: CanarySubject,
): Promise<void> {
  const { [name]: call = { path: { userId } } } = optionTrials;
  const { status, body } = await service.send(
    service.sign(name, call as OperationRequest<ServiceOperations[Name]>, key),
  );
  expectThat(status < 500, name, 'a status below 500', { status, ...body });
}

type Check = (release: CheckedRelease, name: string) => Promise<void>;

/** The checks of functions other than the endpoints of the Service API. */
const otherChecks: Readonly<Record<string, Check>> = {
  'refuse-unknown-route': async (release, name) => {
    const url = `${release.api}/api/service/unknown`;
    const { status, body } = await sendTo(release, name, { method: 'GET', url, headers: {}, body: undefined }, {});
    expectThat(status === 404, name, '404', { status, ...body });
  },
  ...Object.fromEntries(
    Object.values<readonly BearerEndpoint[]>(endpoints)
      .flat()
      .map((endpoint) => [endpoint.name, (release: CheckedRelease) => checkBearerEndpoint(release, endpoint)]),
  ),
  manage: async (release, name) => {
    await newestChange(release);
    const status = `/users/${release.subject.userId}/status?dryRun=true`;
    const { body, ...answer } = await manage(release, 'PUT', status, { status: 'inactive' });
    expectThat(answer.status === 200 && body.changed === true, name, '200 and what would change', {
      ...answer,
      ...body,
    });
  },
  'publish-changes': checkReader,
  'number-changes': checkReader,
};

/**
 * It has no token to be called with, so it must refuse one that is not valid: it has read its root. A public one answers 404
 * to a path that does not exist.
 */
async function checkBearerEndpoint(release: CheckedRelease, endpoint: BearerEndpoint): Promise<void> {
  const { name, scope } = endpoint;
  const reply = await sendTo(release, name, bearerRequest(release.api, endpoint), {});
  const isExpected = scope === null ? reply.status === 404 : isTokenRefused(reply);
  expectThat(isExpected, name, scope === null ? '404' : '401, 403 or token_invalid', {
    status: reply.status,
    ...reply.body,
  });
}

/** The functions that `checkVersions` can check. */
export const checkedFunctions: readonly string[] = [...Object.keys(serviceOperations), ...Object.keys(otherChecks)];

/** Reads a change of the canary's user, which the reader of the stream gets once more. */
async function checkReader(release: CheckedRelease, name: string): Promise<void> {
  const change = await newestChange(release);
  const batch = streamBatch(release.subject.userId as UserId, change, release.changeRetentionDays);
  const answer = await invoke<{ batchItemFailures?: readonly unknown[] }>(release, name, batch);
  expectThat(answer?.batchItemFailures?.length === 0, name, 'a batch without failures', answer);
}

async function newestChange(release: CheckedRelease): Promise<Change> {
  const { status, body } = await manage(release, 'GET', `/users/${release.subject.userId}/changes?limit=1`);
  const [newest] = Array.isArray(body.items) ? body.items : [];
  expectThat(status === 200 && newest !== undefined, 'manage', '200 and a change', { status, ...body });
  const { undo: _, ...change } = newest;
  return change;
}

/** A request of the Management API, with the event that its function URL would send. */
function manage(release: CheckedRelease, method: string, path: string, content?: object): Promise<ServiceReply> {
  const headers = content === undefined ? {} : { 'content-type': 'application/json' };
  const body = content && JSON.stringify(content);
  const authorizer = { iam: { userArn: release.operator } };
  return sendTo(release, 'manage', { method, url: `${release.api}/api/manage${path}`, headers, body }, { authorizer });
}

async function sendTo(
  release: CheckedRelease,
  name: string,
  request: Parameters<typeof httpEvent>[0],
  source: EventSource,
): Promise<ServiceReply> {
  const answer = await invoke<{ statusCode?: number; body?: string }>(release, name, httpEvent(request, source));
  const { statusCode: status = 0, body = '' } = answer ?? {};
  const reply = { status, body: parseBody(body) };
  expectThat(status < 500, name, 'an answer', reply);
  return reply;
}

async function invoke<Answer>({ versions }: CheckedRelease, name: string, payload: object): Promise<Answer | null> {
  const arn = versions[name];
  if (arn === undefined) throw new Error(`there is no version of ${name}`);
  return invokeFunction<Answer | null>(arn, payload);
}

function expectThat(isMet: boolean, name: string, expected: string, answer: unknown): void {
  if (!isMet) throw new Error(`${name}: expected ${expected}, got ${JSON.stringify(answer)?.slice(0, 300)}`);
}
