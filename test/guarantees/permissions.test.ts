import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { tableFormatKey } from '#shared/contract/table-format.ts';
import { listSettings } from '../../lib/options/list-settings.ts';
import type { Authorization } from '../../local/iam/authorization.ts';
import { decide } from '../../local/iam/policy-decision.ts';
import { compileDocuments, compileStatement, type Statement } from '../../local/iam/statements.ts';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { putItems, removeItem } from '../support/alter-item.ts';
import { operationClient } from '../support/ask-operation.ts';
import { eventually } from '../support/eventually.ts';
import { type GuardedStack, startGuarded, type Touch } from '../support/guarded-stack.ts';
import { manageOutcomes } from '../support/manage-outcomes.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { optionOutcomes } from '../support/option-outcomes.ts';
import { type AnyCall, rowsOf } from '../support/outcomes.ts';
import { platformTouches, releaseChecks } from '../support/platform-touches.ts';
import {
  overreaching,
  type PolicyStatement,
  statementsByRole,
  withLess,
  withoutLimits,
} from '../support/policy-variants.ts';
import { type Answer, freshNonce, sendSigned } from '../support/send-request.ts';
import { serviceOutcomes } from '../support/service-outcomes.ts';
import { serviceRequest } from '../support/service-request.ts';
import { operator } from '../support/start-service.ts';
import { settingsOfParts } from '../support/synthesis.ts';

/** With the canary, canary releases, signed heads, tracing, and all lists of options: every role that a stack can have. */
const assembly = await synthesizeAssembly({
  stage: 'prod',
  tracing: 'on',
  ...Object.fromEntries(Object.entries(listSettings).map(([name, values]) => [name, values.join(',')])),
  ...settingsOfParts,
  headsBucket: 'authservice-backupvault-heads',
});
const tableName = process.env.TABLE_NAME ?? '';

let stack: GuardedStack;
const ask = operationClient(() => stack);

/** Sends a request of the Service API, the first or a later attempt of the call that the nonce names. */
function askService(name: string, call: AnyCall, nonce: string, { attempt = 0, key = stack.billingKey } = {}) {
  const { method, target, body } = serviceRequest(serviceOperations[name as 'get-access'], call);
  const created = Math.floor(Date.now() / 1000) + attempt;
  return sendSigned(stack.url, key, [method, target], { ...(body && { body }), signing: { nonce, created } });
}

const serviceRows = rowsOf(serviceOutcomes(() => stack));
const manageRows = rowsOf(manageOutcomes(() => stack, ask));

/** The responses to the requests of an outcome, and the permissions that its functions were denied. */
interface Played {
  readonly expected: number;
  readonly statuses: readonly number[];
  readonly refused: readonly Touch[];
}
const played = new Map<string, Played | Error>();
/** Every distinct permission that each role requested. */
const asked = new Map<string, Authorization[]>();

beforeAll(async () => {
  stack = await startGuarded(assembly);
  for (const row of serviceRows) {
    await play(row, (call, nonce, attempt) => askService(row.operation, call, nonce, { attempt }));
  }
  for (const row of manageRows) {
    await play(row, (call, key, _, groups) => ask(row.operation, call, { idempotencyKey: key, groups }));
  }
  await playLimit();
  await playCanary();
  for (const { play } of optionOutcomes) await play?.(stack, ask);
  await playStream();
  await playHeads();
  collect();
});
afterAll(() => stack.stop());

type Row = (typeof manageRows)[number];
type Send = (call: AnyCall, name: string, attempt: number, groups?: readonly string[]) => Promise<Answer>;

/** A failure while playing an outcome fails only its own test. */
async function play(row: Row, send: Send): Promise<void> {
  const name = `${row.operation}: ${row.outcome}`;
  played.set(name, await sendTwice(row, send).catch((error: Error) => error));
}

/** Sends the request twice, the second time as a retry of the same call. */
async function sendTwice({ prepare }: Row, send: Send): Promise<Played> {
  const before = stack.touches.length;
  const { call, status, groups } = await prepare();
  const name = freshNonce();
  const statuses = [];
  for (const attempt of [0, 1]) statuses.push((await send(call, name, attempt, groups)).status);
  const refused = stack.touches.slice(before).filter(({ decision }) => decision !== 'allowed');
  return { expected: status, statuses, refused };
}

/** Makes each endpoint count the requests of an application near its limit, some seconds after the first. */
async function playLimit(): Promise<void> {
  const appId = await newApplication(['viewer']);
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await updateApplication({ appId: appId as AppId, requestsPerSecond: 100 }, operator);
  const key = await stack.issueKey(appId, [...scopes]);
  const isCounted = (name: string) => touchedKeys(name, 'dynamodb:UpdateItem').some((pk) => pk.startsWith('RATE#'));
  await Promise.all(
    serviceRows
      .filter(({ outcome }) => outcome === 'done')
      .map(async ({ operation, prepare }) => {
        const { call } = await prepare();
        for (let asked = 0; asked < 60 && !isCounted(operation); asked++) {
          await askService(operation, call, freshNonce(), { key });
          await pause(250);
        }
      }),
  );
}

/** Checks a release for each deployment group, and runs the canary over the network. */
async function playCanary(): Promise<void> {
  // Its application may be the first of a table.
  await removeItem(stack, [tableFormatKey.pk, tableFormatKey.sk]);
  for (const { group } of releaseChecks(assembly)) {
    await stack.invoke('check-release', { DeploymentId: group, LifecycleEventHookExecutionId: 'execution' });
  }
  await stack.invoke('run-canary', {});
  await revokeCanaryKey();
  await stack.invoke('issue-canary-key', {});
}

async function revokeCanaryKey(): Promise<void> {
  const appId = 'canary-local' as AppId;
  const { listKeys } = await import('#shared/domain/api-key/owned-keys.ts');
  const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
  const { items } = await listKeys({ appId, limit: 10, cursor: undefined });
  for (const { keyId } of items) await revokeKey({ appId, keyId }, operator);
}

/** Numbers changes in the feeds, and publishes changes that the bus accepts or rejects. */
async function playStream(): Promise<void> {
  const isNumbered = () =>
    ['UpdateItem', 'PutItem', 'DeleteItem'].every(
      (action) => touchedKeys('number-changes', `dynamodb:${action}`).length,
    );
  await eventually(
    async () => isNumbered(),
    (numbered) => numbered,
  );
  stack.refuseEvents();
  await newUser();
  await eventually(
    async () => stack.notices(),
    (notices) => notices > 0,
  );
}

/** Signs the heads of a table that takes more than one invocation. */
async function playHeads(): Promise<void> {
  const fillers = Array.from({ length: 2600 }, (_, n) => ({ pk: 'RATE#filler', sk: String(n) }));
  await putItems(stack, ...fillers);
  await stack.invoke('sign-heads', {});
  const isLast = (text: string) => statementIn(text).isLast === true;
  await eventually(
    async () => [...stack.heads.objects.values()],
    (texts) => texts.some(isLast),
  );
}

function statementIn(text: string) {
  return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());
}

function touchedKeys(name: string, action: string): string[] {
  return stack.touches.flatMap((touch) => {
    if (touch.name !== name || touch.authorization.action !== action) return [];
    return [touch.authorization.context['dynamodb:LeadingKeys'] ?? []].flat();
  });
}

function collect(): void {
  const own = stack.touches.map(({ authorization }) => {
    return { role: String(authorization.context['aws:PrincipalArn']), authorization };
  });
  const all = [...own, ...platformTouches(assembly, tableName)];
  for (const [role, touches] of Map.groupBy(all, (touch) => touch.role)) {
    const distinct = new Map(touches.map(({ authorization }) => [JSON.stringify(authorization), authorization]));
    asked.set(role, [...distinct.values()]);
  }
}

test('every endpoint is tried under its own policies', () => {
  const untried = Object.keys(serviceOperations).filter((name) => !(played.get(`${name}: done`) as Played)?.statuses);
  const help =
    'give its record an example that succeeds in the application billing, or add test/support/service-outcomes.ts';
  expect(untried.map((name) => `${name}: ${help}`)).toEqual([]);
});

describe("a function's role allows everything that the function does", () => {
  test.each([...serviceRows, ...manageRows].map(({ operation, outcome }) => `${operation}: ${outcome}`))(
    'for each outcome, at the first attempt and on retry: %s',
    (row) => {
      const outcome = played.get(row);
      if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('The outcome was not played');
      expect(outcome.refused).toEqual([]);
      expect(outcome.statuses).toEqual([outcome.expected, outcome.expected]);
    },
  );

  test('for publishing and numbering every change, for the canary, and for the other functions', () => {
    expect(stack.touches.filter(({ decision }) => decision !== 'allowed')).toEqual([]);
    expect(stack.releases).toHaveLength(releaseChecks(assembly).length);
    expect(stack.releases).toEqual(stack.releases.map((release) => ({ ...release, status: 'Succeeded' })));
    expect(stack.notices()).toBeGreaterThan(0);
  });

  test('for signing the heads of the whole table, in more than one invocation', () => {
    const parts = [...stack.heads.objects.values()].map(statementIn);
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at + 1));
    expect(parts.length).toBeGreaterThan(1);
  });

  test('for what Lambda, API Gateway and CodeDeploy do with it', () => {
    const denied = platformTouches(assembly, tableName).filter(
      ({ role, authorization }) => !isAllowed(role, authorization, statements.get(role) ?? []),
    );
    expect(denied).toEqual([]);
  });
});

const statements = statementsByRole(assembly, tableName);

/** `guard-data` reads its stack, which the local run does not have: `data-guard.test.ts` compares what it asks with its role. */
const rolesPlayed = [...statements.keys()].filter((role) => !role.includes('/DataGuardCheckRole'));

describe.each(rolesPlayed)('the role %s', (role) => {
  const own = () => statements.get(role) ?? [];
  const touches = () => asked.get(role) ?? [];

  test('has no unused permission', () => {
    const unused = withLess(own()).filter((less) =>
      touches().every((touch) => isAllowed(role, touch, less.statements)),
    );
    expect(unused.map(({ change }) => change)).toEqual([]);
  });

  test('loses nothing if AWS adds the version to the ARN of the calling function', () => {
    const versioned = touches().map(({ context: { 'lambda:SourceFunctionArn': arn, ...context }, ...touch }) => ({
      ...touch,
      context: { ...context, 'lambda:SourceFunctionArn': arn && `${arn}:7` },
    }));
    expect(versioned.filter((touch) => !isAllowed(role, touch, own()))).toEqual([]);
  });

  test('has no condition or denial without effect', () => {
    const refused = touches()
      .flatMap(overreaching)
      .filter((request) => !isAllowed(role, request, own()));
    const idle = withoutLimits(own()).filter((more) =>
      refused.every((request) => !isAllowed(role, request, more.statements)),
    );
    expect(idle.map(({ change }) => change)).toEqual([]);
  });
});

let compiledResources: ReadonlyMap<string, readonly Statement[]> | undefined;
const compiled = new Map<PolicyStatement, ReturnType<typeof compileStatement>>();

function isAllowed(role: string, authorization: Authorization, policy: readonly PolicyStatement[]): boolean {
  const identity = policy.map((statement) => {
    const known = compiled.get(statement) ?? compileStatement('identity', { place: role, json: statement });
    compiled.set(statement, known);
    return known;
  });
  return (
    decide(authorization, role, { identity, resource: resourcePolicies().get(authorization.resource) }) === 'allowed'
  );
}

function resourcePolicies(): ReadonlyMap<string, readonly Statement[]> {
  const [{ resources = [] } = {}] = stack.policies.values();
  compiledResources ??= new Map(resources.map(([arn, documents]) => [arn, compileDocuments('resource', documents)]));
  return compiledResources;
}
