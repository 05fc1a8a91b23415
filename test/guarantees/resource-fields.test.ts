import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { applicationFields, optionalApplicationFields } from '#shared/contract/application-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { runHere } from '../cli/run-here.ts';
import { makeStubFolder } from '../cli/stub-folder.ts';
import { describeService } from '../support/describe-service.ts';
import { documentClient } from '../support/document-client.ts';
import { sampleFields } from '../support/field-samples.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';

const service = describeService();
const manage = manageClient(() => service);

async function ask(method: string, path: string, body?: object) {
  const answer = await manage('iam', method, path, { body });
  expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
  return answer;
}

describe('every field of an access', () => {
  const setting = sampleFields(accessFields);
  let appId: string;
  beforeAll(async () => {
    appId = await newApplication([]);
  });

  async function setAll() {
    const userId = await newUser();
    const answer = await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', ...setting });
    return { userId, answer };
  }
  const read = async (userId: string) => (await ask('GET', `/users/${userId}/access?limit=100`)).body.items;

  test('is shown, is in both states of its changes, and in the snapshot', async () => {
    const { userId, answer } = await setAll();
    expect(answer.body).toMatchObject(setting);
    expect(await read(userId)).toContainEqual(expect.objectContaining({ appId, ...setting }));
    expect(await changesOf(service, answer)).toMatchObject([{ before: unsetFields(accessFields), after: setting }]);
    const key = await service.issueKey(appId, ['access:read']);
    const { body } = await service.request(['GET', '/api/service/access'], { key });
    expect(body.items).toContainEqual(expect.objectContaining({ kind: 'access', userId, ...setting }));
  });

  test('is cleared when it is left out, and undo restores it', async () => {
    const { userId } = await setAll();
    const cleared = await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'enabled' });
    expect(cleared.body).toMatchObject(unsetFields(accessFields));
    await ask('POST', `/users/${userId}/changes/${cleared.body.changeId}/undo`);
    expect(await read(userId)).toContainEqual(expect.objectContaining({ appId, ...setting }));
  });

  test.each(Object.keys(accessFields))('%s alone is a change', async (name) => {
    const { userId, answer } = await setAll();
    const { [name]: _, ...others } = setting;
    const { body } = await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', ...others });
    expect(body).toMatchObject({ changed: true, version: answer.body.version + 1, ...others, [name]: null });
  });

  test('survives an export and `changes apply` to a table without it', async () => {
    const { answer } = await setAll();
    const [change] = await changesOf(service, answer);
    const userId = await newUser();
    await applyChanges([{ ...change, userId }]);
    expect(await read(userId)).toContainEqual(expect.objectContaining({ appId, status: 'disabled', ...setting }));
  });
});

/** Applies changes, after which each subject has this one outcome. */
async function applyChanges(changes: readonly object[], subjects = 1): Promise<void> {
  const { manageUrl, accessKey } = service;
  const { folder, remove } = makeStubFolder(manageUrl, { region: 'local', ...accessKey });
  const file = join(folder, 'changes.json');
  writeFileSync(file, JSON.stringify(changes));
  const { code, stdout, stderr } = await runHere(['changes', 'apply', file, '--json'], { cwd: folder });
  remove();
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
  expect(JSON.parse(stdout)).toMatchObject(Array(subjects).fill({ outcome: 'applied' }));
}

describe('`changes apply` to a table without it restores every field', () => {
  const user = sampleFields(userFields);

  test('of a created user', async () => {
    const change = await changeOf(await ask('PUT', '/users/exported', user));
    await applyChanges([{ ...change, userId: 'restored' }]);
    expect((await ask('GET', '/users/restored')).body).toMatchObject(user);
  });

  test('of a changed user', async () => {
    const change = await changeOf(await ask('PATCH', `/users/${await newUser()}`, user));
    const userId = await newUser();
    await applyChanges([{ ...change, userId }]);
    expect((await ask('GET', `/users/${userId}`)).body).toMatchObject(user);
  });

  test('of a role', async () => {
    const [fields, appId] = [sampleFields(roleFields), await newApplication([])];
    const exported = `/applications/${await newApplication([])}`;
    await ask('PUT', `${exported}/roles/exported`, fields);
    const [change] = (await ask('GET', `${exported}/changes`)).body.items;
    await applyChanges([{ ...change, appId }]);
    expect((await ask('GET', `/applications/${appId}/roles/exported`)).body).toMatchObject(fields);
  });

  test('of an application, whichever change set it', async () => {
    const { name, ...fields } = sampleFields(applicationFields);
    const appId = await newApplication([]);
    for (const body of [{ name: 'Exported' }, fields, { name }]) await ask('PATCH', `/applications/${appId}`, body);
    const { items } = (await ask('GET', `/applications/${appId}/changes`)).body;
    await applyChanges(
      items.toReversed().map((change: object) => ({ ...change, appId: 'restored' })),
      2,
    );
    expect((await ask('GET', '/applications/restored')).body).toMatchObject({ name, ...fields });
  });

  test('of a key', async () => {
    const [fields, path] = [sampleFields(keyFields), `/applications/${await newApplication([])}`];
    const [exported, restored] = [(await ask('POST', `${path}/keys`)).body, (await ask('POST', `${path}/keys`)).body];
    await ask('PATCH', `${path}/keys/${exported.keyId}`, fields);
    const [change] = (await ask('GET', `${path}/changes`)).body.items;
    await applyChanges([{ ...change, keyId: restored.keyId }]);
    const { items } = (await ask('GET', `${path}/keys`)).body;
    expect(items).toContainEqual(expect.objectContaining({ keyId: restored.keyId, ...fields }));
  });
});

async function changeOf(answer: Awaited<ReturnType<typeof ask>>): Promise<object> {
  const [change] = await changesOf(service, answer);
  return change ?? {};
}

test('every field of a user is shown and in its changes', async () => {
  const [fields, path] = [sampleFields(userFields), '/users/described'];
  const created = await ask('PUT', path, fields);
  expect([created.body, await changesOf(service, created)]).toMatchObject([fields, [{ after: fields }]]);
  const cleared = await ask('PATCH', path, unsetFields(userFields));
  expect(await changesOf(service, cleared)).toMatchObject([{ before: fields, after: unsetFields(userFields) }]);
  expect((await ask('GET', path)).body).toMatchObject(unsetFields(userFields));
});

test('every field of a role is shown and in its changes', async () => {
  const [fields, path] = [sampleFields(roleFields), `/applications/${await newApplication([])}/roles/described`];
  const defined = await ask('PUT', path, fields);
  expect([defined.body, await changesOf(service, defined)]).toMatchObject([fields, [{ after: fields }]]);
  const cleared = await ask('PUT', path, unsetFields(roleFields));
  expect(await changesOf(service, cleared)).toMatchObject([{ before: fields, after: unsetFields(roleFields) }]);
});

test('every field of an application is shown and in its changes', async () => {
  const [fields, appId] = [sampleFields(applicationFields), await newApplication([])];
  const path = `/applications/${appId}`;
  expect((await ask('PATCH', path, fields)).body).toMatchObject(fields);
  expect((await ask('GET', path)).body).toMatchObject(fields);
  const unset = unsetFields(optionalApplicationFields);
  expect((await ask('PATCH', path, unset)).body).toMatchObject({ ...fields, ...unset });
  const { items } = (await ask('GET', `${path}/changes`)).body;
  expect(items).toMatchObject([{ before: fields, after: unset }, { before: unset, after: fields }, {}]);
});

test('every field of a key is shown and in its changes, and a rotation keeps it', async () => {
  const [fields, path] = [sampleFields(keyFields), `/applications/${await newApplication([])}/keys`];
  const { keyId } = (await ask('POST', path, fields)).body;
  expect((await ask('POST', `${path}/${keyId}/rotate`, { overlap: 'PT1H' })).body).toMatchObject(fields);
  expect((await ask('PATCH', `${path}/${keyId}`, unsetFields(keyFields))).body).toMatchObject(unsetFields(keyFields));
  const { items } = (await ask('GET', path.replace('keys', 'changes'))).body;
  expect(items).toMatchObject([{ before: fields, after: unsetFields(keyFields) }, {}, { after: fields }, {}]);
});

test('items that were written before a field existed are read as if it was never set, and can be changed', async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  const { keyId } = (await ask('POST', `/applications/${appId}/keys`)).body;
  await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled' });
  await removeFields(`USER#${userId}`, 'USER', userFields);
  await removeFields(`USER#${userId}`, `ACCESS#${appId}`, accessFields);
  await removeFields(`APP#${appId}`, 'ROLE#editor', roleFields);
  await removeFields(`APP#${appId}`, 'APP', optionalApplicationFields);
  await removeFields(`APP#${appId}`, 'APP', keyFields, '#keys.#key.', { '#keys': 'keys', '#key': keyId });
  const resources: [path: string, method: string, fields: Parameters<typeof sampleFields>[0]][] = [
    [`/users/${userId}`, 'PATCH', userFields],
    [`/users/${userId}/access`, '', accessFields],
    [`/applications/${appId}/roles/editor`, 'PUT', roleFields],
    [`/applications/${appId}`, 'PATCH', optionalApplicationFields],
    [`/applications/${appId}/keys`, '', keyFields],
  ];
  for (const [path, method, fields] of resources) {
    const { body } = await ask('GET', path);
    expect(body.items?.[0] ?? body).toMatchObject(unsetFields(fields as never));
    if (method !== '') expect((await ask(method, path, sampleFields(fields))).body).toMatchObject(sampleFields(fields));
  }
});

/** Removes attributes, as an item lacks them that was written before there were such fields. */
async function removeFields(
  pk: string,
  sk: string,
  fields: object,
  within = '',
  names: Readonly<Record<string, string>> = {},
): Promise<void> {
  const attributes = Object.keys(fields).map((name, index) => [`#field${index}`, name] as const);
  await documentClient(service.endpoint).send(
    new UpdateCommand({
      TableName: process.env.TABLE_NAME ?? '',
      Key: { pk, sk },
      UpdateExpression: `REMOVE ${attributes.map(([name]) => within + name).join(', ')}`,
      ExpressionAttributeNames: { ...Object.fromEntries(attributes), ...names },
    }),
  );
}
