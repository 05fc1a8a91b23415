import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import {
  ask,
  bearerSamples,
  changeDirectoryUser,
  changeGroup,
  createDirectoryUser,
  findDirectoryUser,
  readDirectoryUser,
} from './bearer-requests.ts';
import { type Operation, takes, times } from './costed-operation.ts';
import { userIdAt } from './populations.ts';

/** The second third of the users is only read. */
const unblocked = (at: number) => userIdAt(at + times);
const joiner = (at: number) => `joiner-${String(at).padStart(2, '0')}`;

/** What gateways and identity providers ask: with one item more than a GET, for the connection. */
export const questionOperations: readonly Operation[] = bearerSamples.map((sample) => ({
  operation: sample.operation,
  invoke: (at) => ask(sample, usersOf(sample, at)),
  isBrief: true,
  expected: sample.expected,
  designed: takes(sample.designed.requests, sample.designed.readUnits),
}));

function usersOf({ users }: Pick<BearerSample, 'users'>, at: number): string[] {
  return users === 1 ? [unblocked(at)] : Array.from({ length: users }, (_, each) => userIdAt(each));
}

/** What a directory does, in this order: it creates the users first. */
export const directoryOperations: readonly Operation[] = [
  // Read: the connection, both names, and the user and the account for each of the three texts that can be the id. Written, each
  // twice: User, its entry among all and four words; Change, pending entry of the feed; account, and four entries that find it.
  {
    operation: 'SCIM: create a user',
    invoke: (at) => createDirectoryUser(joiner(at)),
    expected: 201,
    designed: takes(2, 9, 26, 1),
  },
  { operation: 'SCIM: read a user', invoke: (at) => readDirectoryUser(joiner(at)), designed: takes(1, 3) },
  { operation: 'SCIM: find a user by name', invoke: (at) => findDirectoryUser(joiner(at)), designed: takes(3, 3) },
  // User, Change, pending entry and account, and eight words, old and new.
  {
    operation: 'SCIM: another name of a user',
    invoke: (at) => changeDirectoryUser(joiner(at), 'displayName', 'Another'),
    designed: takes(2, 3, 24, 1),
  },
  // As the first grant of a user, without the outcome of the call; the account, the member, and the version of the group.
  {
    operation: 'SCIM: add a user to a group with a role',
    invoke: (at) => changeGroup('add', joiner(at)),
    expected: 204,
    designed: takes(8, 19, 20, 3),
  },
  {
    operation: 'SCIM: remove a user from it',
    invoke: (at) => changeGroup('remove', joiner(at)),
    expected: 204,
    designed: takes(7, 16, 18, 3),
  },
  // User, Change, pending entry, account, and the mark of an inactive user; in the indexes the Change in both.
  {
    operation: 'SCIM: deactivate a user',
    invoke: (at) => changeDirectoryUser(joiner(at), 'active', false),
    designed: takes(2, 3, 10, 2),
  },
];
