import type { SigningKey } from '#shared/calls/call-service.ts';
import type { AccessStatus } from '#shared/contract/access.ts';
import { type CostBench, type Operation, takes, times } from './costed-operation.ts';
import { invokeService } from './create-events.ts';
import { role, userIdAt } from './written-table.ts';

const userAt = (at: number) => ({ path: { userId: userIdAt(at) } });
const unknown = (at: number) => userAt(at + 9000);
/** The last third of the users has no access item yet. */
const untouched = (at: number) => userAt(at + 2 * times);

const get =
  (userOf = userAt) =>
  (at: number, { key }: CostBench) =>
    invokeService('get-access', userOf(at), key);
const put =
  (status: AccessStatus, userOf = userAt, forge = (key: SigningKey) => key) =>
  (at: number, { key }: CostBench) =>
    invokeService('set-access', { ...userOf(at), body: { status } }, forge(key));
const assign = (at: number, { key }: CostBench) => invokeService('assign-role', { ...userAt(at), body: { role } }, key);

/** What applications ask, in this order: each has the state that the one before leaves. */
export const serviceOperations: readonly Operation[] = [
  { operation: 'GET access', invoke: get(), isBrief: true, designed: takes(1, 3) },
  {
    operation: 'GET access, with keyStateCacheSeconds',
    invoke: get(),
    isCached: true,
    isBrief: true,
    designed: takes(1, 2),
  },
  { operation: 'GET access of an unknown user (404)', invoke: get(unknown), expected: 404, designed: takes(1, 3) },
  {
    operation: 'POST check of 100 users',
    invoke: (at, { key }) => {
      const userIds = Array.from({ length: 100 }, (_, user) => userIdAt(at + user));
      return invokeService('check-access', { body: { userIds } }, key);
    },
    isBrief: true,
    designed: takes(3, 201),
  },
  {
    operation: 'GET changes, nothing new',
    invoke: (_, { key, cursor }) => invokeService('list-changes', { query: { limit: 25, after: cursor } }, key),
    isBrief: true,
    designed: takes(3, 3),
  },
  // Outcome of the call, Access, User, Change, pending entry of the feed: each twice in a transaction; the first time the
  // application's entry too. In the indexes: Access, and Change in both.
  { operation: 'PUT access, the first status', invoke: put('disabled', untouched), designed: takes(2, 3, 12, 3) },
  { operation: 'PUT access, another status', invoke: put('disabled'), designed: takes(2, 3, 10, 3) },
  { operation: 'PUT access, no change', invoke: put('disabled'), designed: takes(2, 3, 1) },
  {
    operation: 'PUT access of an unknown user (404)',
    invoke: put('disabled', unknown),
    expected: 404,
    designed: takes(2, 3, 1),
  },
  // In addition to those of a status: the Role is read, the Member is written.
  {
    operation: 'DELETE revoke',
    invoke: (at, { key }) => invokeService('revoke-role', { ...userAt(at), query: { role } }, key),
    designed: takes(2, 3, 12, 3),
  },
  { operation: 'POST assign', invoke: assign, designed: takes(2, 4, 12, 3) },
  { operation: 'POST assign, no change', invoke: assign, designed: takes(2, 4, 1) },
  {
    operation: 'forged PUT (401)',
    invoke: put('enabled', userAt, (key) => ({ ...key, secret: 'svs_guessed' })),
    expected: 401,
    designed: takes(0, 0),
  },
];
