import type { ScimCall } from '../directory.ts';
import type { DirectorySwarm } from '../directory-swarm.ts';
import { namedBy, saidBy } from './directory-answers.ts';

/** A user or a group that its directory does not have, or no longer. */
export const gone = 'gone';

export type UserState = typeof gone | 'active' | 'inactive';

/** The members of a group, by id. */
export type Members = typeof gone | readonly string[];

/** What a request does to a state; undefined for a state in which it would have been answered otherwise. */
export interface Effect<State> {
  readonly call: ScimCall;
  readonly apply: (state: State) => State | undefined;
}

/** The effect of an answered request on one user; undefined if it does not concern that user. */
export function effectOnUser(
  call: ScimCall,
  userId: string,
  { userIdAttribute }: Pick<DirectorySwarm, 'userIdAttribute'>,
): Effect<UserState> | undefined {
  const { method, path, body, attempts } = call;
  const answers = attempts.flatMap(({ answer }) => answer ?? []);
  const isMeant =
    path === '/Users'
      ? body?.[userIdAttribute] === userId || answers.some((answer) => answer.body.id === userId)
      : path === `/Users/${userId}`;
  if (method === 'GET' || !isMeant) return undefined;
  const [{ status = 0, body: answered = {} } = {}] = answers;
  const isOfAnother = method === 'POST' && status < 300 && answered.id !== userId;
  return { call, apply: (state) => (isOfAnother ? state : changedUser(call, status, state)) };
}

function changedUser(call: ScimCall, status: number, state: UserState): UserState | undefined {
  const { method } = call;
  if (status === 404) return state === gone ? gone : undefined;
  if (status >= 300) return state;
  // Only a user who is not active can be created, and only one who exists be changed.
  if (state === (method === 'POST' ? 'active' : gone)) return undefined;
  const { active } = saidBy(call);
  if (method === 'DELETE') return gone;
  return active === undefined ? state : active ? 'active' : 'inactive';
}

/** The effect of an answered request on the members of a group; undefined if it has none on this group. */
export function effectOnMembers(call: ScimCall, groupId: string): Effect<Members> | undefined {
  const { method, path, attempts } = call;
  const answers = attempts.flatMap(({ answer }) => answer ?? []);
  const [{ status = 0 } = {}] = answers;
  if (method === 'GET') return undefined;
  if (path === '/Groups' && answers.some((answer) => answer.body.id === groupId)) {
    return { call, apply: (members) => union(members === gone ? [] : members, namedBy(call).added) };
  }
  if (path.startsWith('/Users/') && method === 'DELETE') {
    const userId = path.slice('/Users/'.length);
    return { call, apply: (members) => (status < 300 ? without(members, [userId]) : members) };
  }
  if (path !== `/Groups/${groupId}`) return undefined;
  return { call, apply: (members) => changedMembers(call, status, members) };
}

function changedMembers(call: ScimCall, status: number, members: Members): Members | undefined {
  const { method, body } = call;
  if (status === 404) return members === gone ? gone : undefined;
  if (status >= 300) return members;
  // Another request may have deleted it already, and this one have completed that.
  if (method === 'DELETE') return gone;
  if (members === gone) return undefined;
  const { added, removed = [] } = namedBy(call);
  if (method === 'PUT') return body?.members === undefined ? members : union([], added);
  return union(without(members, removed), added);
}

function without(members: Members, userIds: readonly string[]): Members {
  return members === gone ? gone : members.filter((userId) => !userIds.includes(userId));
}

function union(members: Members, userIds: readonly string[]): Members {
  return members === gone ? gone : [...new Set([...members, ...userIds])].sort();
}
