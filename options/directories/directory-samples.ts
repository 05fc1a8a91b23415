import type { BearerSample, SampleRequest } from '#shared/contract/bearer-sample.ts';
import { scimGroupsEndpoint, scimPath, scimUsersEndpoint } from './contract/scim-endpoints.ts';

type ForJoiner<T> = (userName: string) => T;
const joiner = (turn: number) => `joiner-${String(turn).padStart(2, '0')}`;
const headers = { 'content-type': 'application/scim+json', 'user-agent': 'Okta SCIM Client 1.0.0' };
const patch = (operation: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [operation],
});

/** A request about the user of each turn. */
const toUsers = (of: ForJoiner<SampleRequest>): Pick<BearerSample, 'endpoint' | 'request'> => ({
  endpoint: scimUsersEndpoint,
  request: ({ turn }) => ({ headers, path: `${scimPath}/Users`, ...of(joiner(turn)) }),
});
const toUser = (method: string, body?: object) =>
  toUsers((userName) => ({ method, path: `${scimPath}/Users/${userName}`, ...(body && { body }) }));
const toGroup = (change: ForJoiner<object>): Pick<BearerSample, 'endpoint' | 'request'> => ({
  endpoint: scimGroupsEndpoint,
  request: ({ turn, groupId }) => ({
    headers,
    method: 'PATCH',
    path: `${scimPath}/Groups/${groupId}`,
    body: patch(change(joiner(turn))),
  }),
});

const named = (userName: string) => `filter=${encodeURIComponent(`userName eq "${userName}"`)}`;
const setAttribute = (path: string, value: unknown) => toUser('PATCH', patch({ op: 'replace', path, value }));
const newUser = (userName: string) => {
  const emails = [{ value: `${userName}@example.com`, type: 'work', primary: true }];
  return { userName, externalId: `e-${userName}`, displayName: 'A user', active: true, emails };
};

/** What a directory does, in this order: it creates the users first. */
export const directorySamples: readonly BearerSample[] = [
  // Read: the connection, both names, and the user and the account for each of the three texts that can be the id. Written, each
  // twice: User, its entry among all and four words; Change, pending entry of the feed; account, and four entries that find it.
  {
    operation: 'SCIM: create a user',
    ...toUsers((userName) => ({ method: 'POST', body: newUser(userName) })),
    expected: 201,
    designed: { requests: 2, readUnits: 9, tableWriteUnits: 26, indexWriteUnits: 1 },
  },
  { operation: 'SCIM: read a user', ...toUser('GET'), expected: 200, designed: { requests: 1, readUnits: 3 } },
  {
    operation: 'SCIM: find a user by name',
    ...toUsers((userName) => ({ method: 'GET', query: named(userName) })),
    expected: 200,
    designed: { requests: 3, readUnits: 3 },
  },
  // User, Change, pending entry and account, and eight words, old and new.
  {
    operation: 'SCIM: another name of a user',
    ...setAttribute('displayName', 'Another'),
    expected: 200,
    designed: { requests: 2, readUnits: 3, tableWriteUnits: 24, indexWriteUnits: 1 },
  },
  // As the first grant of a user, without the outcome of the call; the account, the member, and the version of the group.
  {
    operation: 'SCIM: add a user to a group with a role',
    ...toGroup((value) => ({ op: 'add', path: 'members', value: [{ value }] })),
    expected: 204,
    designed: { requests: 8, readUnits: 19, tableWriteUnits: 20, indexWriteUnits: 3 },
  },
  {
    operation: 'SCIM: remove a user from it',
    ...toGroup((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    expected: 204,
    designed: { requests: 7, readUnits: 16, tableWriteUnits: 18, indexWriteUnits: 3 },
  },
  // User, Change, pending entry, account, and the mark of an inactive user; in the indexes the Change in both.
  {
    operation: 'SCIM: deactivate a user',
    ...setAttribute('active', false),
    expected: 200,
    designed: { requests: 2, readUnits: 3, tableWriteUnits: 10, indexWriteUnits: 2 },
  },
];
