import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { documentedOperations, type Json, resolved } from '../support/documented.ts';
import { everyOperation } from '../support/every-operation.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import type { AnyCall, Attempt } from '../support/outcomes.ts';
import { fromNow, yearsFromNow } from '../support/timestamps.ts';

const service = describeService();

const { successes, ask } = everyOperation(() => service);

/** Every member of a body that says when something ends, with its operation. */
const expiries = documentedOperations.flatMap(({ operation }) => {
  const schema = resolved(operation.requestBody)?.content['application/json'].schema;
  const isExpiry = (member: string) => ['until', 'expiresAt'].includes(member);
  return membersOf(schema)
    .filter(isExpiry)
    .map((member) => ({ operation: operation.operationId as string, member }));
});

function membersOf(schema: Json): string[] {
  const { properties = {}, allOf = [] } = resolved(schema) ?? {};
  return [...Object.keys(properties), ...allOf.flatMap(membersOf)];
}

const nextYear = new Date().getUTCFullYear() + 1;

/** Values that are refused as the end of a block, a grant or a key. */
const invalidExpiries: readonly (readonly [what: string, end: unknown])[] = [
  ['in the past', fromNow(-1000)],
  ['over five years ahead', yearsFromNow(5, 86_400_000)],
  ['in the year 9999', '9999-12-31T23:59:59Z'],
  ['without an offset', `${nextYear}-06-01T12:00:00`],
  ['without a time', `${nextYear}-06-01`],
  ['on 30 February', `${nextYear}-02-30T12:00:00Z`],
  ['at the hour 24', `${nextYear}-06-01T24:00:00Z`],
  ['with an offset of a day', `${nextYear}-06-01T12:00:00+24:00`],
  ['no date', 'tomorrow'],
  ['empty', ''],
  ['a number', Date.now() + 86_400_000],
  ['an object', {}],
];

test('blocks, grants and keys have expiries', () => {
  expect(new Set(expiries.map(({ member }) => member))).toEqual(new Set(['until', 'expiresAt']));
});

describe.each(expiries)('$member of $operation', ({ operation, member }) => {
  let attempt: Attempt<AnyCall>;
  beforeAll(async () => {
    const [prepare] = successes(operation);
    attempt = await prepare();
  });
  const askWith = (end: unknown) =>
    ask(operation, { ...attempt.call, body: { ...(attempt.call.body as object), [member]: end } });
  /** The outcome of a call is stored, also of one that is refused, because the same request may be accepted later. */
  const items = async () => [...(await service.items())].filter(([key]) => !/^(?:NONCE|IDEMPOTENCY)#/.test(key));

  describe('is refused, and nothing is written', () => {
    let before: Awaited<ReturnType<typeof items>>;
    beforeAll(async () => {
      before = await items();
    });
    afterAll(async () => expect(await items()).toEqual(before));

    test.each(invalidExpiries)('an expiry that is %s', async (_, end) => {
      expectInvalid(await askWith(end), `#/${member}`);
    });
  });

  test('is accepted: an expiry tomorrow', async () => {
    expect((await askWith(fromNow(86_400_000))).status).toBe(attempt.status);
  });
});
