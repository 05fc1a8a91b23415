import type { AccessSetting, Grant } from '../client-interface.ts';
import type { Members } from '../read-answer.ts';
import { userIdPattern } from '../service-contract.ts';
import { type FakeRetention, listChanges, listSnapshot } from './fake-feed.ts';
import type { FakeScope, SignedRequest } from './fake-keys.ts';
import { FakeProblem, invalidField } from './fake-problem.ts';
import type { FakeCaller, FakeState } from './fake-state.ts';

/** One request, as an endpoint reads it. */
interface Received {
  readonly state: FakeState;
  readonly retention: FakeRetention;
  readonly userId: string;
  readonly query: URLSearchParams;
  readonly body: Members;
  readonly ifMatch: string | null;
  readonly caller: FakeCaller;
}

interface Endpoint {
  readonly method: string;
  /** Below `/api/service/`; its group is the user's id. */
  readonly path: RegExp;
  readonly scope: FakeScope;
  readonly writes: boolean;
  readonly answer: (received: Received) => object;
}

const endpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: /^users\/([^/]+)\/access$/,
    scope: 'access:read',
    writes: false,
    answer: ({ state, userId }) => state.view(userId),
  },
  {
    method: 'PUT',
    path: /^users\/([^/]+)\/access$/,
    scope: 'access:write',
    writes: true,
    answer: (received) => {
      const { state, userId, caller } = received;
      const setting = readSetting(received);
      return change(received, () => state.setAccess(userId, setting, caller));
    },
  },
  {
    method: 'POST',
    path: /^roles\/([^/]+)\/assign$/,
    scope: 'roles:write',
    writes: true,
    answer: (received) => {
      const { state, userId, caller } = received;
      const grant = readGrant(received);
      return change(received, () => state.assignRole(userId, grant, caller));
    },
  },
  {
    method: 'DELETE',
    path: /^users\/([^/]+)\/revoke$/,
    scope: 'roles:write',
    writes: true,
    answer: (received) => {
      const { state, userId, caller, query, body } = received;
      const role = requireRole(query.get('role') ?? body.role);
      return change(received, () => state.revokeRole(userId, role, caller));
    },
  },
  {
    method: 'POST',
    path: /^access\/check$/,
    scope: 'access:read',
    writes: false,
    answer: ({ state, body }) => ({ items: readUserIds(body).map((userId) => checkUser(state, userId)) }),
  },
  {
    method: 'GET',
    path: /^access$/,
    scope: 'access:read',
    writes: false,
    answer: ({ state, query }) => listSnapshot(state, query),
  },
  {
    method: 'GET',
    path: /^changes$/,
    scope: 'access:read',
    writes: false,
    answer: ({ state, query, retention }) => listChanges(state, query, retention),
  },
];

/** What a request asks for; its answer is an object, or it throws a FakeProblem. */
export interface FakeRoute {
  readonly writes: boolean;
  answer(state: FakeState, retention: FakeRetention): object;
}

/** Finds the endpoint of a request, and reads the request as the service does. */
export function routeRequest(request: Request, { key, body: text }: SignedRequest): FakeRoute {
  const { method, url, headers } = request;
  const { pathname, searchParams: query } = new URL(url);
  const path = pathname.replace(/^\/api\/service\//, '');
  const endpoint = endpoints.find((each) => each.method === method && each.path.test(path));
  if (endpoint === undefined) throw new FakeProblem('route_not_found', 'There is no such endpoint.');
  if (!key.scopes.includes(endpoint.scope))
    throw new FakeProblem('scope_missing', `The key lacks the scope ${endpoint.scope}.`);
  const userId = decodeURIComponent(endpoint.path.exec(path)?.[1] ?? '-');
  if (!userIdPattern.test(userId)) throw invalidField('path:userId', `must match ${userIdPattern}`);
  const received = { userId, query, body: parse(text), ifMatch: headers.get('if-match') };
  return {
    writes: endpoint.writes,
    answer: (state, retention) => {
      const caller = { kind: 'api-key', appId: state.appId, keyId: key.keyId } as const;
      return endpoint.answer({ ...received, state, retention, caller });
    },
  };
}

function change({ state, userId, ifMatch }: Received, write: () => boolean): object {
  const { version } = state.view(userId);
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.split(/, */).includes(`"${version}"`))
    throw new FakeProblem('version_mismatch', `The access is at version ${version}.`, { version });
  const changed = write();
  const changeId = changed ? (state.accesses.get(userId)?.changeId ?? null) : null;
  return { ...state.view(userId), changed, changeId };
}

function checkUser(state: FakeState, userId: string): object {
  return state.users.has(userId) ? state.view(userId) : { userId, code: 'user_not_found' };
}

function readUserIds({ userIds }: Members): string[] {
  const isValid = (id: unknown) => typeof id === 'string' && id.length <= 128;
  if (Array.isArray(userIds) && userIds.length >= 1 && userIds.length <= 100 && userIds.every(isValid)) return userIds;
  throw invalidField('#/userIds', 'must be 1 to 100 texts of at most 128 characters');
}

function readSetting({ state, body }: Received): AccessSetting {
  requireMembers(body, ['status', 'reason', 'until']);
  const { status, reason } = body;
  if (status !== 'enabled' && status !== 'disabled') throw invalidField('#/status', 'must be "enabled" or "disabled"');
  if (reason != null && (typeof reason !== 'string' || reason.length < 1 || reason.length > 256))
    throw invalidField('#/reason', 'must be 1 to 256 characters');
  const until = requireEnd(body.until, '#/until', state);
  if (until !== null && status === 'enabled') throw invalidField('#/until', 'goes only with "disabled"');
  return { status, reason, until };
}

function readGrant({ state, body }: Received): Grant {
  requireMembers(body, ['role', 'expiresAt']);
  return { role: requireRole(body.role), expiresAt: requireEnd(body.expiresAt, '#/expiresAt', state) };
}

export const rolePattern = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;

function requireRole(role: unknown): string {
  if (typeof role === 'string' && rolePattern.test(role)) return role;
  throw invalidField('#/role', 'must be the name of a role');
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function requireEnd(end: unknown, pointer: string, { clock }: FakeState): string | null {
  if (end === undefined || end === null) return null;
  if (typeof end !== 'string' || !dateTime.test(end) || Number.isNaN(Date.parse(end)))
    throw invalidField(pointer, 'must be an RFC 3339 date-time with an offset');
  if (Date.parse(end) <= clock.now().getTime()) throw invalidField(pointer, 'must lie in the future');
  return end;
}

function requireMembers(body: Members, known: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidField(`#/${unknown}`, 'is unknown');
}

function parse(text: string): Members {
  try {
    return text === '' ? {} : Object(JSON.parse(text));
  } catch {
    throw new FakeProblem('malformed_json', 'The body is not JSON.');
  }
}
