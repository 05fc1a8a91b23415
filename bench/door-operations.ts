import { type Operation, takes, times } from './costed-operation.ts';
import {
  askAsHydra,
  askAsOkta,
  authorize,
  changeDirectoryUser,
  changeGroup,
  createDirectoryUser,
  evaluate,
  evaluateMany,
  findDirectoryUser,
  readDirectoryUser,
} from './door-requests.ts';
import { userIdAt } from './populations.ts';

/** The second third of the users is only read. */
const unblocked = (at: number) => userIdAt(at + times);
const joiner = (at: number) => `joiner-${String(at).padStart(2, '0')}`;

/** What gateways and identity providers ask: with one item more than a GET, for the connection. */
export const questionOperations: readonly Operation[] = [
  { operation: 'AuthZEN evaluation', invoke: (at) => evaluate(unblocked(at)), isBrief: true, designed: takes(1, 4) },
  // The connection and the application; the user and the access of each question, which is as many as one request reads.
  {
    operation: 'AuthZEN evaluations of 33 users',
    invoke: () => evaluateMany(Array.from({ length: 33 }, (_, at) => userIdAt(at))),
    isBrief: true,
    designed: takes(1, 68),
  },
  {
    operation: 'a request of a proxy',
    invoke: (at) => authorize(unblocked(at)),
    isBrief: true,
    expected: 204,
    designed: takes(1, 4),
  },
  { operation: 'a login through Okta', invoke: (at) => askAsOkta(unblocked(at)), isBrief: true, designed: takes(1, 4) },
  {
    operation: 'a login through Hydra',
    invoke: (at) => askAsHydra(unblocked(at)),
    isBrief: true,
    designed: takes(1, 4),
  },
];

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
