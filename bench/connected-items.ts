import './bench-environment.ts';
import { hash } from 'node:crypto';
import type { AppId, KeyId, UserId } from '#shared/contract/fields.ts';
import type { WebhookFormat } from '#shared/contract/webhook-fields.ts';
import { deriveToken } from '#shared/keys/connection-token.ts';
import { chainHead, keyState, rootKey, writtenAt } from './stored-before.ts';

/** An item of the table. */
export type Item = Readonly<Record<string, unknown>>;

/** The connection of gateways and identity providers, and that of a directory. */
export type BenchConnection = 'gateway' | 'directory';

/** The group of the directory, whose members have a role. */
export const groupId = '01KAGTWWG0GR00000000000000';

const keyIdOf = (connection: BenchConnection) => `svc_k1_${connection}_${'0'.repeat(26)}` as KeyId;

/** The token of the key of a connection. */
export function benchToken(connection: BenchConnection): string {
  return deriveToken(rootKey, keyIdOf(connection));
}

/** What the connections are about. */
export interface Connected {
  readonly appId: AppId;
  /** The only user whom the directory manages. */
  readonly userId: UserId;
  /** What the group gives its members. */
  readonly role: string;
}

/** A gateway, and a directory with a group and a user, as the service would have written them. */
export function* connectedItems({ appId, userId, role }: Connected): Generator<Item> {
  yield connectionItem('gateway', {
    kind: 'evaluate',
    name: 'Gateway',
    applications: [appId],
    groupRoles: [],
    trustsUserHeader: true,
    userIdAttribute: null,
    takeover: null,
  });
  yield connectionItem('directory', {
    kind: 'scim',
    name: 'Okta',
    applications: [appId],
    groupRoles: [{ group: 'Staff', appId, role }],
    trustsUserHeader: false,
    userIdAttribute: 'userName',
    takeover: 'none',
  });
  yield* groupItems(`${appId} ${role}`);
  yield* accountItems(userId);
}

const scopesOf = { gateway: ['access:read', 'roles:read'], directory: ['users:write', 'roles:write'] } as const;
const placeOf = (kind: string, text: string) => ({ pk: directory, sk: `${kind}#${hash('sha256', text, 'base64url')}` });
const directory = 'SCIM#directory';
const first = { version: 1, createdAt: writtenAt, updatedAt: writtenAt } as const;

function connectionItem(connectionId: BenchConnection, settings: Item): Item {
  return {
    pk: `CONNECTION#${connectionId}`,
    sk: 'CONNECTION',
    gsi1pk: 'CONNECTIONS',
    gsi1sk: connectionId,
    connectionId,
    issuer: null,
    audience: null,
    clients: null,
    userIdClaim: null,
    ...settings,
    keys: { [keyIdOf(connectionId)]: { ...keyState, scopes: scopesOf[connectionId] } },
    ...first,
    version: 2,
    chainHead,
  };
}

function* groupItems(appliedRoles: string): Generator<Item> {
  const group = {
    groupId,
    connectionId: 'directory',
    displayName: 'Staff',
    externalId: null,
    replacements: 0,
    appliedRoles,
  };
  yield { pk: directory, sk: `GROUP#${groupId}`, ...group, ...first };
  yield { ...placeOf('GROUPNAME', 'Staff'), groupId };
}

function* accountItems(userId: UserId): Generator<Item> {
  const email = `${userId}@example.com`;
  yield {
    pk: `USER#${userId}`,
    sk: 'ACCOUNT',
    userId,
    connectionId: 'directory',
    userName: userId,
    externalId: null,
    attributes: JSON.stringify({ displayName: 'A user', emails: [{ value: email }] }),
    active: true,
    removed: false,
    groups: [],
    given: {},
    ...first,
    userCreatedAt: writtenAt,
  };
  yield { pk: directory, sk: `USER#${userId}`, userId };
  yield { ...placeOf('NAME', userId), userId };
  const { pk, sk } = placeOf('EMAIL', email);
  yield { pk, sk: `${sk}#${userId}`, userId };
}

/** The receivers of an application's webhooks, one for each of these formats. */
export type Receivers = Readonly<Partial<Record<WebhookFormat, string>>>;

/** What the application's item has of its webhooks, whose ids are their formats. */
export function webhooksOf(receivers: Receivers): Item {
  const secret = { secretId: `k1_${'0'.repeat(26)}`, previousSecretId: null, previousSecretUntil: null };
  return Object.fromEntries(
    Object.entries(receivers).map(([format, url]) => [
      format,
      { url, format, events: null, enabled: true, offReason: null, ...secret, ...first },
    ]),
  );
}

/** The items that say how far the deliveries of new webhooks are. */
export function webhookStates(appId: AppId, receivers: Receivers): Item[] {
  const none = { lanes: [], lastError: null, lastDeliveredAt: null, wakes: 0 };
  return Object.keys(receivers).map((webhookId) => ({
    pk: 'WEBHOOKS',
    sk: `${appId}#${webhookId}`,
    appId,
    webhookId,
    enabled: true,
    cursor: startOf(appId),
    ...none,
  }));
}

/** The cursor at the beginning of both feeds of an application. */
function startOf(appId: AppId): string {
  const position = JSON.stringify([[1, 0, null], [1, 0, null], null]);
  const bound = hash('sha256', `${JSON.stringify(['feed', appId])}\n${position}`, 'buffer').subarray(0, 12);
  return Buffer.concat([bound, Buffer.from(position)]).toString('base64url');
}
