import * as v from 'valibot';
import { setAccessOperation } from '#shared/contract/access.ts';
import { appIdSchema, fieldErrors, roleNameSchema, userIdSchema } from '#shared/contract/fields.ts';
import { assignRoleOperation } from '#shared/contract/grant.ts';
import { getAccess } from '#shared/domain/access/read-access.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { issueKey, revokeKey } from '#shared/domain/api-key/manage-keys.ts';
import { createApplication, updateApplication } from '#shared/domain/application/applications.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { invalidRequest } from '#shared/http/input.ts';
import type { FeedName } from '#shared/table/keys/feed-item-keys.ts';
import type { ServiceInstance } from '../service-instance.ts';
import { receive, refuse } from './answer-request.ts';
import { pendingFeeds, removeExpiredItems } from './memory-requests.ts';

/** The service for one operator and for all callers of its API. */
export const service: ServiceInstance = {
  async receive(request, requestId) {
    // As the reader of the table's stream does.
    for (const feed of pendingFeeds()) await numberFeed(feed as FeedName);
    return receive(request, requestId);
  },
  refuse,
  removeExpiredItems,

  async createApplication(appId) {
    await createApplication({ appId: parse(appIdSchema, appId), name: appId }, operator());
  },
  async setRollout(appId, rolloutPercent) {
    await updateApplication({ appId: parse(appIdSchema, appId), rolloutPercent }, operator());
  },
  async issueKey(appId, scopes) {
    const { keyId, secret } = await issueKey({ appId: parse(appIdSchema, appId), scopes, expiresAt: null }, operator());
    return { keyId, secret };
  },
  async revokeKey(appId, keyId) {
    await revokeKey({ appId: parse(appIdSchema, appId), keyId }, operator());
  },
  async defineRole(appId, role) {
    const definition = { appId: parse(appIdSchema, appId), role: parse(roleNameSchema, role), description: null };
    await defineRole(definition, operator());
  },
  async createUser(userId) {
    await createUser({ userId: parse(userIdSchema, userId), displayName: null, email: null }, operator());
  },
  async setUserStatus(userId, status) {
    await setUserStatus({ userId: parse(userIdSchema, userId), status, reason: null }, operator());
  },
  async deleteUser(userId) {
    await deleteUser({ userId: parse(userIdSchema, userId) }, operator());
  },
  async setAccess(appId, userId, { until, ...setting }) {
    const body = parse(setAccessOperation.body, { ...setting, until: toText(until) });
    await setAccess({ ...subjectOf(appId, userId), setting: body }, operator());
  },
  async assignRole(appId, userId, { role, expiresAt }) {
    const grant = parse(assignRoleOperation.body, { role, expiresAt: toText(expiresAt) });
    await assignRole({ ...subjectOf(appId, userId), grant }, operator());
  },
  async revokeRole(appId, userId, role) {
    await revokeRole({ ...subjectOf(appId, userId), role: parse(roleNameSchema, role) }, operator());
  },
  async getAccess(appId, userId) {
    return getAccess(subjectOf(appId, userId), operator());
  },
};

let requests = 0;

function operator(): OperatorContext {
  const requestId = `fake-operator-request-${++requests}`;
  return { caller: { kind: 'operator', via: 'iam', id: 'test', role: 'admin' }, requestId, sourceIp: '127.0.0.1' };
}

function subjectOf(appId: string, userId: string) {
  return { appId: parse(appIdSchema, appId), userId: parse(userIdSchema, userId) };
}

/** Throws a RangeError for an invalid date. The `Date` of a test is a different class than that of this code. */
function toText(time: string | Date | null | undefined): string | null | undefined {
  return typeof time === 'object' ? (time?.toISOString() ?? null) : time;
}

/** Throws 400 `invalid_request` if the service would refuse the input. */
function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  throw invalidRequest(fieldErrors(issues, '#'));
}
