import * as samples from '#options/samples.ts';
import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import { scimGroupsEndpoint, scimUsersEndpoint } from '#shared/contract/scim-endpoints.ts';
import { benchToken, groupId } from './connected-items.ts';
import { type Invocation, invokeBearerEndpoint } from './create-events.ts';
import { appIdAt } from './populations.ts';

const appId = appIdAt(0);
const asGateway = { authorization: `Bearer ${benchToken('gateway')}` };
const asDirectory = { authorization: `Bearer ${benchToken('directory')}`, 'user-agent': 'Okta SCIM Client 1.0.0' };
const json = { 'content-type': 'application/json' };
const scimJson = { 'content-type': 'application/scim+json' };

/** The requests of options that answer questions. */
export const bearerSamples: readonly BearerSample[] = Object.values<readonly BearerSample[]>(samples).flat();

/** The invocation of a sample, about users of the application. */
export function ask({ endpoint, request }: BearerSample, userIds: readonly string[]): Invocation {
  const { query, headers, body } = request({ userIds, appId });
  const [{ method, path }] = endpoint.routes;
  return invokeBearerEndpoint(endpoint, {
    method,
    target: query === undefined ? path : `${path}?${query}`,
    headers: { ...asGateway, ...(body && json), ...headers },
    body: body && JSON.stringify(body),
  });
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
  return invokeBearerEndpoint(scimGroupsEndpoint, {
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
  return invokeBearerEndpoint(scimUsersEndpoint, { method, target: `/scim/v2/Users${rest}`, headers, body });
}
