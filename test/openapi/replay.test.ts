import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleKey, pathExamples } from '#shared/contract/examples.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { createUlid } from '#shared/core/ids.ts';
import { userChangeKey } from '#shared/table/keys/change-item-keys.ts';
import { logBlockKey } from '#shared/table/keys/feed-item-keys.ts';
import { documentClient } from '../support/document-client.ts';
import { type DocumentedOperation, documentedOperations, type Json, resolved } from '../support/documented.ts';
import { eventually } from '../support/eventually.ts';
import { manageClient } from '../support/manage-client.ts';
import { normalizeVolatileFields } from '../support/normalize-volatile-fields.ts';
import { optionOutcomes } from '../support/option-outcomes.ts';
import { type Answer, type Key, sendSigned } from '../support/send-request.ts';
import { startEmptyBundles } from '../support/start-service.ts';
import { storedChange } from '../support/stored-items.ts';

let service: Awaited<ReturnType<typeof startEmptyBundles>>;
/** The key that the sequence issues. */
let key: Key | undefined;
/** The id of the connection's key that the sequence issues. */
let connectionKeyId: string | undefined;
/** The change that the last response named. */
let changeId = '';
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startEmptyBundles();
});
afterAll(() => service.stop());

const operations = new Map(documentedOperations.map((one) => [one.operation.operationId, one]));

/** The order in which the examples form one sequence, starting with an empty table. */
const placed: readonly string[] = [
  'get-operator',
  'create-application',
  'get-application',
  'list-applications',
  'update-application',
  'undo-application-change',
  'define-role',
  'get-role',
  'list-roles',
  'create-user',
  'get-user',
  'list-users',
  'resolve-users',
  'update-user',
  'issue-key',
  'list-keys',
  'list-all-keys',
  'get-access',
  'check-access',
  'assign-role',
  'set-access',
  'get-snapshot',
  'list-application-users',
  'list-members',
  'list-user-access',
  'list-application-changes',
  'list-user-changes',
  'list-all-changes',
  'list-changes',
  'verify-changes',
  'set-user-access',
  'set-access-in-bulk',
  'revoke-role',
  'assign-user-role',
  'revoke-user-role',
  'undo-change',
  'revoke-role-in-bulk',
  'assign-role-in-bulk',
  'set-user-status',
  'set-user-status-in-bulk',
  'update-key',
  ...optionOutcomes.flatMap(({ examples = [] }) => examples),
  'rotate-key',
  'revoke-key',
  'delete-role',
  'delete-user',
  'delete-application',
];

/** The other reads of the Service API, which run once the use of the key has been recorded: they change nothing else. */
const others = Object.values(serviceOperations).flatMap(({ name, writes }) =>
  writes || placed.includes(name) ? [] : [name],
);
const sequence = placed.flatMap((name) => [name, ...(name === 'get-access' ? others : []), ...examplesAfter(name)]);

/** The examples of options that follow this one, each with those that follow it. */
function examplesAfter(name: string): string[] {
  const names = optionOutcomes.flatMap(({ examplesAfter: { [name]: after = [] } = {} }) => after);
  return names.flatMap((after) => [after, ...examplesAfter(after)]);
}

test('the sequence of the examples contains every operation', () => {
  expect([...sequence].sort()).toEqual([...operations.keys()].sort());
});

test.each(sequence)("the example of the operation %s equals the service's response", async (name) => {
  const documented = operations.get(name);
  if (documented === undefined) throw new Error(`${name} is not in the document`);
  if (name === 'list-changes') await haveNumber(exampleAnswer(documented).body.items[0]);
  for (const { prepareExample } of optionOutcomes)
    await prepareExample?.(service, name, exampleAnswer(documented).body);
  const answer = (await askOption(name, documented)) ?? (await ask(documented));
  key ??= name === 'issue-key' ? answer.body : undefined;
  connectionKeyId ??= name === 'issue-connection-key' ? answer.body.keyId : undefined;
  changeId = answer.body.changeId ?? changeId;
  const { status, body } = exampleAnswer(documented);
  expect([answer.status, normalizeVolatileFields(answer.body)]).toEqual([status, normalizeVolatileFields(body)]);
});

/** Asks for an example of an option that takes several requests. */
async function askOption(name: string, documented: DocumentedOperation): Promise<Answer | undefined> {
  const shown = exampleAnswer(documented).body;
  for (const { askExample } of optionOutcomes) {
    const answer = await askExample?.(name, shown, (additional) => ask(documented, additional));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Sends the request in the document, signed as documented, with additional parameters; operators use either entry point. */
async function ask(
  { method, path, operation }: DocumentedOperation,
  additional: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const parameters = (operation.parameters ?? []).map(resolved);
  const known: Readonly<Record<string, string | undefined>> = {
    keyId: path.includes('{connectionId}') ? connectionKeyId : key?.keyId,
    changeId,
  };
  const inPath = (name: string) => known[name] ?? String(exampleOf(parameters, name));
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => inPath(name));
  const query = new URLSearchParams(
    parameters.flatMap((one: { in: string; name: string; example?: unknown }) =>
      one.in === 'query' && one.example !== undefined ? [[one.name, String(one.example)]] : [],
    ),
  );
  for (const [name, value] of Object.entries(additional)) query.set(name, value);
  const whole = query.size === 0 ? target : `${target}?${query}`;
  const body = inTheFuture(operation.requestBody?.content['application/json'].example);
  if (operation.security.some((one: object) => 'signature' in one)) {
    if (key === undefined) throw new Error('No key was issued yet');
    const { scope } = serviceOperations[operation.operationId as ServiceOperationName];
    const signing = exampleKey.scopes.some((each) => each === scope) ? key : await keyWith(scope);
    return sendSigned(service.url, signing, [method, whole], { body });
  }
  const token = operation.operationId === 'get-operator' ? { token: await tokenOfExample() } : {};
  return manage(method === 'GET' ? 'jwt' : 'iam', method, whole.replace('/api/manage', ''), { body, ...token });
}

/** Issues a key with a scope that the issued one does not have. */
async function keyWith(scope: Scope): Promise<Key> {
  const { body } = await manage('iam', 'POST', `/applications/${pathExamples.appId}/keys`, {
    body: { scopes: [scope] },
  });
  return body;
}

/** Mints a token for the operator in the example of `get-operator`. */
function tokenOfExample(): Promise<string> {
  const { id: sub, email, roles } = exampleAnswer(operations.get('get-operator') as DocumentedOperation).body;
  const groups = roles.map(({ role, appId }: Json) => (appId === null ? role : `${role}:${appId}`));
  return service.login.mintToken({ sub, email, 'cognito:groups': groups });
}

function exampleOf(parameters: readonly { name: string; example?: unknown }[], name: string): unknown {
  return parameters.find((one) => one.name === name)?.example;
}

/** Returns the success response that has an example. */
function exampleAnswer({ operation }: DocumentedOperation) {
  const responses = Object.entries<Json>(operation.responses);
  const [[status, response] = ['', undefined]] = responses.filter(
    ([code, { content }]) => code < '300' && content['application/json'].example !== undefined,
  );
  return { status: Number(status), body: response?.content['application/json'].example };
}

/**
 * Moves all timestamps of the body into the future, because the expiry times in the examples pass; when a list was read, to now.
 */
function inTheFuture<Body extends object | undefined>(body: Body): Body {
  if (body === undefined) return body;
  const end = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const moved = JSON.parse(JSON.stringify(body).replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, JSON.stringify(end)));
  return 'asOf' in body ? { ...moved, asOf: new Date().toISOString() } : moved;
}

/** Makes a change the first that followers of its application find. */
async function haveNumber(change: { readonly appId: AppId; readonly userId: UserId }): Promise<void> {
  const at = new Date(Date.now() - 60_000);
  const id = createUlid(at);
  const item = { ...userChangeKey(change.userId, id), ...storedChange(), ...change, id, at: at.toISOString() };
  const TableName = process.env.TABLE_NAME;
  const documents = documentClient(service.endpoint);
  const Key = logBlockKey(change.appId, 1);
  const { Item: block } = await eventually(
    () => documents.send(new GetCommand({ TableName, Key })),
    ({ Item }) => Item !== undefined,
  );
  const [, ...others] = block?.changes ?? [];
  const changes = [{ id, action: item.action, userId: change.userId }, ...others];
  for (const Item of [item, { ...block, changes }]) await documents.send(new PutCommand({ TableName, Item }));
}
