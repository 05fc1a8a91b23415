import * as catalog from '#options/catalog.ts';
import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { scimGroupsEndpoint, scimPath, scimUsersEndpoint } from '#shared/contract/scim-endpoints.ts';
import { type CostBench, type Operation, takes, times } from './costed-operation.ts';
import { invokeBearerEndpoint } from './create-events.ts';
import { appId, userIdAt } from './written-table.ts';

const bearerSamples: readonly BearerSample[] = membersOf(catalog, 'samples').flat();

/** What gateways and identity providers ask: with one item more than a GET, for the connection. */
export const questionOperations: readonly Operation[] = bearerSamples.map(
  ({ endpoint, users, request, ...sample }) => ({
    ...sample,
    isBrief: true,
    designed: takes(sample.designed.requests, sample.designed.readUnits),
    invoke: (at, { tokens: { gateway: token } }) => {
      // The second third of the users is only read.
      const userIds = Array.from({ length: users }, (_, each) => userIdAt(users === 1 ? at + times : each));
      const { query = '', headers, body } = request({ userIds, appId });
      const [{ method, path }] = endpoint.routes;
      return invokeBearerEndpoint(endpoint, { method, target: `${path}?${query}`, token, headers, content: body });
    },
  }),
);

type ForJoiner<T> = (userName: string) => T;
const joiner = (at: number) => `joiner-${String(at).padStart(2, '0')}`;
const headers = { 'content-type': 'application/scim+json', 'user-agent': 'Okta SCIM Client 1.0.0' };
const patch = (operation: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [operation],
});

/** A request of a directory about the user of each turn. */
const toUsers =
  (method: string, rest: ForJoiner<string>, content?: ForJoiner<object>) =>
  (at: number, { tokens: { directory: token } }: CostBench) => {
    const target = `${scimPath}/Users${rest(joiner(at))}`;
    return invokeBearerEndpoint(scimUsersEndpoint, { method, target, token, headers, content: content?.(joiner(at)) });
  };
const toGroup =
  (change: ForJoiner<object>) =>
  (at: number, { groupId, tokens: { directory: token } }: CostBench) => {
    const [target, content] = [`${scimPath}/Groups/${groupId}`, patch(change(joiner(at)))];
    return invokeBearerEndpoint(scimGroupsEndpoint, { method: 'PATCH', target, token, headers, content });
  };

const ofJoiner = (userName: string) => `/${userName}`;
const named = (userName: string) => `?filter=${encodeURIComponent(`userName eq "${userName}"`)}`;
const setAttribute = (path: string, value: unknown) =>
  toUsers('PATCH', ofJoiner, () => patch({ op: 'replace', path, value }));
const newUser = (userName: string) => {
  const emails = [{ value: `${userName}@example.com`, type: 'work', primary: true }];
  return { userName, externalId: `e-${userName}`, displayName: 'A user', active: true, emails };
};

/** What a directory does, in this order: it creates the users first. */
export const directoryOperations: readonly Operation[] = [
  // Read: the connection, both names, and the user and the account for each of the three texts that can be the id. Written, each
  // twice: User, its entry among all and four words; Change, pending entry of the feed; account, and four entries that find it.
  {
    operation: 'SCIM: create a user',
    invoke: toUsers('POST', () => '', newUser),
    expected: 201,
    designed: takes(2, 9, 26, 1),
  },
  { operation: 'SCIM: read a user', invoke: toUsers('GET', ofJoiner), designed: takes(1, 3) },
  { operation: 'SCIM: find a user by name', invoke: toUsers('GET', named), designed: takes(3, 3) },
  // User, Change, pending entry and account, and eight words, old and new.
  {
    operation: 'SCIM: another name of a user',
    invoke: setAttribute('displayName', 'Another'),
    designed: takes(2, 3, 24, 1),
  },
  // As the first grant of a user, without the outcome of the call; the account, the member, and the version of the group.
  {
    operation: 'SCIM: add a user to a group with a role',
    invoke: toGroup((value) => ({ op: 'add', path: 'members', value: [{ value }] })),
    expected: 204,
    designed: takes(8, 19, 20, 3),
  },
  {
    operation: 'SCIM: remove a user from it',
    invoke: toGroup((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    expected: 204,
    designed: takes(7, 16, 18, 3),
  },
  // User, Change, pending entry, account, and the mark of an inactive user; in the indexes the Change in both.
  { operation: 'SCIM: deactivate a user', invoke: setAttribute('active', false), designed: takes(2, 3, 10, 2) },
];
