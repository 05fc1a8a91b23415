import { invokeService } from './create-events.ts';
import { userIdAt, type WrittenTable } from './written-table.ts';

export const usersPerCheck = 100;

/** The table of these requests: all users of a check have a role, which a check reads. */
export const sampledContent = { users: usersPerCheck, accesses: usersPerCheck } as const;

/** A signed read, a write that changes something, and a check of 100 users. */
export function sampleRequests({ key }: WrittenTable) {
  const path = { userId: userIdAt(0) };
  const userIds = Array.from({ length: usersPerCheck }, (_, at) => userIdAt(at));
  return {
    read: () => invokeService('get-access', { path }, key),
    write: () => invokeService('set-access', { path, body: { status: 'disabled' } }, key),
    check: () => invokeService('check-access', { body: { userIds } }, key),
  };
}
