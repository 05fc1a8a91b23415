import type { ManagementClient } from '#client/management.ts';
import { createServiceCaller, type SigningKey } from '#shared/calls/call-service.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { startDynamodb } from '../local/dynamodb-process.ts';
import { createLocalManagement } from '../local/local-management.ts';
import { runStack } from '../local/run-stack.ts';
import { root, tableName } from './bench-environment.ts';
import { assetsIn } from './function-assets.ts';
import type { BenchContext } from './measurement.ts';

/** What the service writes into a table before it is measured. */
export interface Content {
  readonly users: number;
  /** How many of the users, counted from the first, have an explicit access with a role. */
  readonly accesses: number;
  /** The receivers of webhooks, by their format. Default: none. */
  readonly receivers?: Readonly<Record<string, string>>;
  /** Variables of the functions that write. Default: those of the stack. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A table that the service has written, and what is needed to ask about it. */
export interface WrittenTable {
  /** The file of a function's asset. */
  readonly fileOf: (name: string) => string;
  /** The endpoint of DynamoDB. */
  readonly dynamodb: string;
  /** A key of the application with all scopes. */
  readonly key: SigningKey;
  /** The tokens of a gateway, and of a directory whose group `groupId` gives the role. */
  readonly tokens: { readonly gateway: string; readonly directory: string };
  readonly groupId: string;
  /** The position in the application's feed behind all that was written. */
  readonly cursor: string;
  close(): Promise<void>;
}

export const appId = 'app-0000' as AppId;
export const role = 'role-000';
export const userIdAt = (at: number) => `user-${String(at).padStart(7, '0')}` as UserId;

/** Runs the stack on an emulator in memory until the service has written the content, and leaves the emulator running. */
export async function writeTable({ assembly, progress }: BenchContext, content: Content): Promise<WrittenTable> {
  progress('Writing the table');
  const onGiveUp = (error: Error) => {
    throw error;
  };
  const { endpoint: dynamodb, stop: close } = await startDynamodb({ log: console.error, onGiveUp });
  const { environment } = content;
  const stack = await runStack({ assembly, dynamodb, tableName, root: root.toString('base64'), environment });
  try {
    const written = await write(stack.url, createLocalManagement(stack.manageUrl, stack.accessKey), content);
    return { ...written, fileOf: assetsIn(assembly).fileOf, dynamodb, close };
  } finally {
    await stack.close();
  }
}

async function write(url: string, manage: ManagementClient, { users, accesses, receivers = {} }: Content) {
  const path = { appId };
  await manage.call('create-application', { body: { appId, name: 'An application' } });
  await manage.call('define-role', { path: { appId, role } });
  const { keyId, secret } = await manage.call('issue-key', { path, body: { scopes } });
  for (let at = 0; at < users; at++) await writeUser(manage, userIdAt(at), at < accesses);
  const tokens = { gateway: await connect(manage, gateway), directory: await connect(manage, directory) };
  const groupId = await createGroup(url, tokens.directory);
  const { call }: OptionClient = manage;
  for (const [format, receiver] of Object.entries(receivers)) {
    await call('create-webhook', { path, body: { webhookId: format, format, url: receiver } });
  }
  const key = { keyId, secret };
  return { key, tokens, groupId, cursor: await endOfFeed(url, key) };
}

async function writeUser(manage: ManagementClient, userId: UserId, hasAccess: boolean): Promise<void> {
  const body = { displayName: 'A user', email: `${userId}@example.com` };
  await manage.call('create-user', { path: { userId }, body });
  if (!hasAccess) return;
  await manage.call('set-user-access', { path: { userId, appId }, body: { status: 'enabled' } });
  await manage.call('assign-user-role', { path: { userId, appId, role } });
}

/** The same client for operations of options, which a project without the option has no types of. */
interface OptionClient {
  call(name: string, input: object): Promise<object>;
}

const group = 'Staff';
const gateway = { connectionId: 'gateway', kind: 'evaluate', name: 'Gateway', trustsUserHeader: true };
const groupRoles = [{ group, appId, role }];
const directory = { connectionId: 'directory', kind: 'scim', name: 'Okta', groupRoles, userIdAttribute: 'userName' };

/** Creates a connection of the application; returns the token of its key. */
async function connect({ call }: OptionClient, connection: { readonly connectionId: string }): Promise<string> {
  await call('create-connection', { body: { ...connection, applications: [appId] } });
  const { connectionId } = connection;
  return Object(await call('issue-connection-key', { path: { connectionId } })).token;
}

async function createGroup(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const body = JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: group });
  const response = await fetch(`${url}/scim/v2/Groups`, { method: 'POST', headers, body });
  if (response.status !== 201) throw new Error(`Creating the group was answered ${response.status}`);
  return Object(await response.json()).id;
}

/** The feed repeats a change until it has a number: at its end, all have one. */
async function endOfFeed(url: string, key: SigningKey): Promise<string> {
  const { sign, send } = createServiceCaller(url);
  for (let query: { readonly limit: number; readonly after?: string } = { limit: 100 }; ; ) {
    const { status, body } = await send(sign('list-changes', { query }, key));
    const { items, cursor } = body as { readonly items?: readonly object[]; readonly cursor: string };
    if (items?.length === 0) return cursor;
    if (items !== undefined) query = { ...query, after: cursor };
    else if (status !== 503) throw new Error(`The feed was answered ${status}: ${JSON.stringify(body)}`);
  }
}
