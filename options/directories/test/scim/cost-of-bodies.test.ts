import { expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';
import { readGroupPatch, readGroupReplacement, readNewGroup } from '../../scim/group-change.ts';
import { readSearchRequest } from '../../scim/search-request.ts';
import { readSelection, select } from '../../scim/selection.ts';
import { readNewUser, readReplacement, readUserPatch } from '../../scim/user-change.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';

const ada: DirectoryUserState = { userName: 'ada', externalId: 'e1', active: true, attributes: {} };
const [few, many] = [4000, 40_000];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const named = (count: number) => Object.fromEntries(numbers(count).map((n) => [`m${n}`, n]));
const people = (count: number) => numbers(count).map((n) => ({ value: `u${n}` }));
const primary = (count: number) => numbers(count).map((n) => ({ value: `${n}@x.io`, primary: true }));

/** Microseconds of CPU for reading bodies; one that is refused is read too. */
function cost(read: (body: object) => unknown, bodies: readonly object[]): number {
  const started = process.cpuUsage();
  for (const body of bodies) {
    try {
      read(body);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

const namesOf = (count: number) => numbers(count).map((n) => `a${n}`);
const searchRequest = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] };
const search = (body: object) => select(group, readSelection(readSearchRequest(body)));
/** With as many members as a page of a search could have. */
const group = { id: 'g', members: people(1000) };
const patchOf = (...Operations: readonly object[]) => ({ Operations });
/** Group changes of a fixed number of members each. */
const additions = (count: number) =>
  patchOf(
    ...numbers(count / 100).map((n) => ({
      op: 'add',
      path: 'members',
      value: numbers(30).map((each) => ({ value: `u${n}-${each}` })),
    })),
  );

test.each<[string, (body: object) => unknown, (count: number) => object]>([
  ['members of a user', readNewUser, (count) => ({ userName: 'ada', ...named(count) })],
  ['members of a PUT', (body) => readReplacement(body)(ada), (count) => ({ userName: 'ada', ...named(count) })],
  ['members of the extension', readNewUser, (count) => ({ userName: 'ada', [enterpriseSchema.id]: named(count) })],
  ['members of one value of a PATCH', readUserPatch, (count) => patchOf({ op: 'replace', value: named(count) })],
  ['values of an attribute', readNewUser, (count) => ({ userName: 'ada', emails: primary(count) })],
  [
    'values of an attribute of a PATCH',
    (body) => readUserPatch(body)(ada),
    (count) => patchOf({ op: 'add', path: 'emails', value: primary(count) }),
  ],
  [
    'members of one value of a PATCH of a group',
    readGroupPatch,
    (count) => patchOf({ op: 'add', value: named(count) }),
  ],
  ['members of a group', readNewGroup, (count) => ({ displayName: 'G', members: people(count) })],
  ['members of a PUT of a group', readGroupReplacement, (count) => ({ displayName: 'G', members: people(count) })],
  ['operations of a PATCH of a group', readGroupPatch, additions],
  ['names that a search selects', search, (count) => ({ ...searchRequest, attributes: namesOf(count) })],
])('the CPU of many %s grows with their number, not with its square', (_, read, bodyOf) => {
  const [ten, one] = [numbers(10).map(() => bodyOf(few)), [bodyOf(many)]];
  const costs = [ten, one].map(() => [] as number[]);
  for (let run = 0; run < 3; run++) {
    for (const [at, bodies] of [ten, one].entries()) costs[at]?.push(cost(read, bodies));
  }
  const [small = 0, large = 0] = costs.map((each) => Math.min(...each));
  // The square would be ten times as much. For ten times the names, V8 itself takes 13 times as long to parse an object and 17
  // times to list it; a larger heap and its collection take up to twice as much on a loaded machine.
  expect(large).toBeLessThanOrEqual(8 * small);
});
