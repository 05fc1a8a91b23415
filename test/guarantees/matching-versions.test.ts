import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { type Json, resolved } from '../support/documented.ts';
import { everyOperation, operationsThat } from '../support/every-operation.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import type { AnyCall } from '../support/outcomes.ts';

const service = describeService();

const { successes, ask } = everyOperation(() => service);
const conditional = operationsThat(({ parameters = [] }: Json) =>
  parameters.map(resolved).some(({ name }: Json) => name === 'If-Match'),
);
/** The outcomes of calls are stored, also of refused ones. */
const items = async () => [...(await service.items())].filter(([key]) => !/^(?:NONCE|IDEMPOTENCY)#/.test(key));

/** Prepares a change of something that exists, and asks for its version with one that never was. */
async function prepare(operation: string) {
  for (const prepareOne of successes(operation)) {
    const { call, status } = await prepareOne();
    const { body } = await ask(operation, call, '"999999"');
    if (body.code === 'version_mismatch') return { call, status, version: Number(body.version) };
  }
  throw new Error(`${operation} accepts every version`);
}

test('operations of both APIs take If-Match', () => {
  expect(conditional).toEqual(expect.arrayContaining(['set-access', 'update-user']));
});

describe.each(conditional)('If-Match of %s', (operation) => {
  describe('is refused, and nothing is written', () => {
    let call: AnyCall;
    let version: number;
    let before: Awaited<ReturnType<typeof items>>;
    beforeAll(async () => {
      ({ call, version } = await prepare(operation));
      before = await items();
    });
    afterAll(async () => expect(await items()).toEqual(before));

    test.each(['', '3', '"3', 'W/3', '"3" "4"', '"3",', '*, "3"'])('the malformed %s', async (tag) => {
      expectInvalid(await ask(operation, call, tag), 'header:if-match');
    });

    test.each([
      ['a newer version', (current: number) => `"${current + 1}"`],
      ['the version as a weak tag', (current: number) => `W/"${current}"`],
      ['a list without the version', (current: number) => `"${current + 1}", "x"`],
      ['the version after a zero, which is another tag', (current: number) => `"0${current}"`],
      ['an empty tag', () => '""'],
    ])('%s', async (_, tag) => {
      expectProblem(await ask(operation, call, tag(version)), 'version_mismatch', { version });
    });
  });

  test.each([
    ['the version', (version: number) => `"${version}"`],
    ['a list with the version', (version: number) => `"${version + 7}", W/"1" ,"${version}"`],
    ['*', () => '*'],
  ])('is accepted: %s', async (_, tag) => {
    const { call, status, version } = await prepare(operation);
    const answer = await ask(operation, call, tag(version));
    expect([answer.status, answer.body.version, answer.headers.etag]).toEqual([
      status,
      version + 1,
      `"${version + 1}"`,
    ]);
  });

  test('lets exactly one of several requests with the same version change something', async () => {
    const { call, status, version } = await prepare(operation);
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(operation, call, `"${version}"`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([status, 412, 412, 412]);
  });
});
