import {
  authorizeDoor,
  evaluateDoor,
  evaluateManyDoor,
  hydraHookDoor,
  oktaHookDoor,
  scimGroupsDoor,
  scimUsersDoor,
} from '#shared/contract/doors.ts';
import { benchToken, groupId } from './connected-items.ts';
import { type Invocation, invokeDoor } from './create-events.ts';
import { appIdAt } from './populations.ts';

const appId = appIdAt(0);
const asGateway = { authorization: `Bearer ${benchToken('gateway')}` };
const asDirectory = { authorization: `Bearer ${benchToken('directory')}`, 'user-agent': 'Okta SCIM Client 1.0.0' };
const json = { 'content-type': 'application/json' };
const scimJson = { 'content-type': 'application/scim+json' };

/** Whether a user may enter the application (AuthZEN). */
export function evaluate(userId: string): Invocation {
  return post(evaluateDoor, { ...subjectOf(userId), ...entering });
}

/** The same of several users at once. */
export function evaluateMany(userIds: readonly string[]): Invocation {
  return post(evaluateManyDoor, { ...entering, evaluations: userIds.map(subjectOf) });
}

const entering = { action: { name: 'enter' }, resource: { type: 'application', id: appId } };
const subjectOf = (userId: string) => ({ subject: { type: 'user', id: userId } });

/** Whether a proxy may forward the request of a user. */
export function authorize(userId: string): Invocation {
  const headers = { ...asGateway, 'x-original-user': userId };
  return invokeDoor(authorizeDoor, { method: 'GET', target: `/access/v1/authorize?application=${appId}`, headers });
}

/** The hook of Okta before a login, with what Okta says of the user. */
export function askAsOkta(userId: string): Invocation {
  const claims = { iss: 'https://example.okta.com/oauth2/default', aud: appId, sub: userId };
  const context = {
    user: { id: userId, profile: { login: `${userId}@example.com` } },
    protocol: { client: { id: appId }, request: { grant_type: 'authorization_code' } },
  };
  const data = { context, identity: { claims }, access: { claims } };
  return post(oktaHookDoor, { eventType: 'com.okta.oauth2.tokens.transform', data });
}

/** The hook of Hydra before a login. */
export function askAsHydra(userId: string): Invocation {
  const session = { id_token: { subject: userId, id_token_claims: { sub: userId } }, extra: {} };
  return post(hydraHookDoor, { session, request: { client_id: appId, grant_types: ['authorization_code'] } });
}

function post(
  door: typeof evaluateDoor | typeof evaluateManyDoor | typeof oktaHookDoor | typeof hydraHookDoor,
  body: object,
): Invocation {
  const [{ path: target }] = door.routes;
  return invokeDoor(door, { method: 'POST', target, headers: { ...asGateway, ...json }, body: JSON.stringify(body) });
}

/** A directory creates a user. */
export function createDirectoryUser(userName: string): Invocation {
  const emails = [{ value: `${userName}@example.com`, type: 'work', primary: true }];
  return ofUsers('POST', '', { userName, externalId: `e-${userName}`, displayName: 'A user', active: true, emails });
}

export function readDirectoryUser(userId: string): Invocation {
  return ofUsers('GET', `/${userId}`);
}

/** A directory looks for a user, as before it creates one. */
export function findDirectoryUser(userName: string): Invocation {
  return ofUsers('GET', `?filter=${encodeURIComponent(`userName eq "${userName}"`)}`);
}

/** A directory changes one attribute of a user. */
export function changeDirectoryUser(userId: string, attribute: string, value: unknown): Invocation {
  return ofUsers('PATCH', `/${userId}`, patchOf({ op: 'replace', path: attribute, value }));
}

/** A directory adds a user to the group, or removes one. */
export function changeGroup(op: 'add' | 'remove', userId: string): Invocation {
  const operation =
    op === 'add' ? { op, path: 'members', value: [{ value: userId }] } : { op, path: `members[value eq "${userId}"]` };
  return invokeDoor(scimGroupsDoor, {
    method: 'PATCH',
    target: `/scim/v2/Groups/${groupId}`,
    headers: { ...asDirectory, ...scimJson },
    body: JSON.stringify(patchOf(operation)),
  });
}

function patchOf(operation: object): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] };
}

function ofUsers(method: string, rest: string, content?: object): Invocation {
  const body = content && JSON.stringify(content);
  const headers = { ...asDirectory, ...(body !== undefined && scimJson) };
  return invokeDoor(scimUsersDoor, { method, target: `/scim/v2/Users${rest}`, headers, body });
}
