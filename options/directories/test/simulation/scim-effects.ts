import { namedBy, saidBy } from './check-directory-answers.ts';
import type { ScimCall } from './directory.ts';
import type { DirectorySwarm } from './directory-swarm.ts';

/** A user or a group that its directory does not have, or no longer. */
export const gone = 'gone';

export type UserState = typeof gone | 'active' | 'inactive';

/** The members of a group, by id. */
export type Members = typeof gone | readonly string[];

/** A group, with its version when the requests began, and whether one of them has changed it since. */
export interface GroupState {
  readonly members: Members;
  readonly version: number;
  readonly isChanged: 'no' | 'maybe' | 'yes';
}

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

/** The effect of an answered request on a group and its members; undefined if it does not concern this group. */
export function effectOnGroup(call: ScimCall, groupId: string): Effect<GroupState> | undefined {
  const { method, path, attempts, ifMatch } = call;
  const answers = attempts.flatMap(({ answer }) => answer ?? []);
  const [{ status = 0 } = {}] = answers;
  const isCreation = path === '/Groups' && answers.some((answer) => answer.body.id === groupId);
  const isRemoval = path.startsWith('/Users/') && method === 'DELETE';
  if (method === 'GET' || !(isCreation || isRemoval || path === `/Groups/${groupId}`)) return undefined;
  return {
    call,
    apply: (state) => {
      if (status < 300 && ifMatch !== undefined && !canHaveVersion(state, ifMatch)) return undefined;
      const members = membersAfter(call, status, state.members);
      if (members === undefined) return undefined;
      const isSame = String(members) === String(state.members);
      const isCertain = !isSame && !isRemoval;
      const isNamed = status < 300 && path.startsWith('/Groups');
      return { ...state, members, isChanged: isCertain ? 'yes' : isSame && !isNamed ? state.isChanged : maybe(state) };
    },
  };
}

/** Versions increase with each change. */
function canHaveVersion({ version, isChanged }: GroupState, expected: number): boolean {
  if (isChanged === 'no') return expected === version;
  return isChanged === 'yes' ? expected > version : expected >= version;
}

function maybe({ isChanged }: GroupState): GroupState['isChanged'] {
  return isChanged === 'yes' ? 'yes' : 'maybe';
}

function membersAfter(call: ScimCall, status: number, members: Members): Members | undefined {
  const { method, path, body } = call;
  if (path.startsWith('/Users/')) return status < 300 ? without(members, [path.slice('/Users/'.length)]) : members;
  if (status === 404) return members === gone ? gone : undefined;
  if (status >= 300) return members;
  const { added, removed = [] } = namedBy(call);
  if (method === 'POST') return union(members === gone ? [] : members, added);
  // Another request may have deleted it already, and this one have completed that.
  if (method === 'DELETE') return gone;
  if (members === gone) return undefined;
  if (method === 'PUT') return body?.members === undefined ? members : union([], added);
  return union(without(members, removed), added);
}

function without(members: Members, userIds: readonly string[]): Members {
  return members === gone ? gone : members.filter((userId) => !userIds.includes(userId));
}

function union(members: Members, userIds: readonly string[]): Members {
  return members === gone ? gone : [...new Set([...members, ...userIds])].sort();
}
