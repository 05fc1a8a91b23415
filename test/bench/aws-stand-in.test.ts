import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { type AwsStandIn, awsEnvironment, invokeEndpoint, startAwsStandIn } from '../../bench/aws-stand-in.ts';
import { bearerRequests } from '../../bench/measure-bearer-endpoints.ts';
import { type OpenFunctions, openFunctions } from '../../bench/open-functions.ts';

const opened: OpenFunctions[] = [];

let standIn: AwsStandIn;
beforeAll(async () => {
  standIn = await startAwsStandIn();
});
afterAll(async () => {
  await Promise.all(opened.map((functions) => functions.close()));
  standIn.close();
});

test("every endpoint's bundle answers 200 with the stand-in, and every write changes something", async () => {
  const names = Object.keys(serviceOperations) as ServiceOperationName[];
  const functions = open(bundleOf);
  const { answers, cpuMicroseconds } = await functions.run(
    names.map((name) => invokeEndpoint(name)),
    { inFlight: 2 },
  );
  const bodies = new Map(names.map((name, at) => [name, JSON.parse(answers[at]?.body ?? '')]));
  for (const { name, writes } of Object.values(serviceOperations)) {
    const says = writes && name !== 'rotate-own-webhook-secret';
    expect([name, bodies.get(name)?.changed]).toEqual([name, says ? true : undefined]);
  }
  expect(cpuMicroseconds).toBeGreaterThan(0);
});

test.each(bearerRequests.map((each) => [each.label, each] as const))(
  'the bundle answers a request of a connection with the stand-in: %s',
  async (_, { invoke, expected = 200 }) => {
    const { answers } = await open(bundleOf).run([invoke()], { expected });
    expect(answers).toHaveLength(1);
  },
);

test('what a gateway asks is allowed, and what a directory changes is changed', async () => {
  const functions = open(bundleOf);
  const [evaluated, changed] = ['evaluate-access', 'scim-users, PATCH'].map((name) =>
    bearerRequests.find(({ label }) => label === name),
  );
  const { answers } = await functions.run([evaluated, changed].flatMap((each) => each?.invoke() ?? []));
  const [evaluation, user] = answers.map(({ body = '' }) => JSON.parse(body));
  expect(evaluation).toMatchObject({ decision: true, context: { roles: ['role-000'] } });
  expect(user).toMatchObject({ id: 'user-0000000', active: false });
});

test('a response with an unexpected status is an error', async () => {
  const run = open(bundleOf).run([invokeEndpoint('get-access')], { expected: 404 });
  await expect(run).rejects.toThrow('Answered 200');
});

test('the raw request reads the three items of a GET', async () => {
  const raw = join(import.meta.dirname, '../../bench/raw-post.cjs');
  const { answers } = await open(() => raw).run([invokeEndpoint('get-access')]);
  expect(JSON.parse(answers[0]?.body ?? '').Responses.bench).toHaveLength(3);
});

function bundleOf(name: string): string {
  return join(process.env.TEST_ASSEMBLY ?? '', 'bundles', name, 'index.js');
}

function open(fileOf: (name: string) => string, more: Readonly<Record<string, string>> = {}): OpenFunctions {
  const functions = openFunctions({ fileOf, environment: { ...awsEnvironment(standIn.url), ...more } });
  opened.push(functions);
  return functions;
}
