import { expect, test } from '@jest/globals';
import type { ManageOperation } from '#shared/contract/operation.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import { manageRuns } from '#shared/http/management/manage-operations.ts';
import type { ManageContext, ManageRun } from '#shared/http/management/manage-run.ts';
import { operatorContext } from '../../support/stored-items.ts';
import { tableForEachTest } from '../../support/table-in-memory.ts';

tableForEachTest();

/** The endpoint itself reads these. */
const readByEndpoint = ['query.dryRun', 'body.reason', 'body.ticket'];

function membersOf({ query, body, ifMatch }: ManageOperation): string[] {
  const entriesOf = (schema: object | undefined) =>
    schema && 'entries' in schema ? Object.keys(Object(schema.entries)) : [];
  return [
    ...entriesOf(query).map((name) => `query.${name}`),
    ...entriesOf(body).map((name) => `body.${name}`),
    ...(ifMatch ? ['ifMatch'] : []),
  ];
}

/** An input of undefined values, which notes each member that is read, also by a rest or a spread. */
function noting(members: readonly string[], note: (member: string) => void): never {
  const partOf = (part: string) => {
    const names = members.flatMap((member) => (member.startsWith(`${part}.`) ? member.slice(part.length + 1) : []));
    const values = Object.fromEntries(names.map((name) => [name, undefined]));
    return new Proxy(values, { get: (_, name) => note(`${part}.${String(name)}`) });
  };
  const input = { path: {}, query: partOf('query'), body: partOf('body') };
  return Object.defineProperty(input, 'ifMatch', { get: () => note('ifMatch') }) as never;
}

const operations: readonly ManageOperation[] = Object.values(manageOperations);
test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s reads every query parameter and body member that its record accepts',
  async (name, operation) => {
    const run = manageRuns[name] as ManageRun<never>;
    const unread = new Set(membersOf(operation).filter((member) => !readByEndpoint.includes(member)));
    const input = noting([...unread], (member) => void unread.delete(member));
    const context: ManageContext = { ...operatorContext, heldRoles: [], limitedTo: undefined };
    // What is wrong with such an input is not the question.
    await Promise.resolve()
      .then(() => run(input, context))
      .catch(() => undefined);
    expect([...unread]).toEqual([]);
  },
);
