import { beforeAll, describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { describeService } from '#test/support/describe-service.ts';
import { type ConnectedDirectory, connectDirectory, itemsBut } from '../support/ask-scim.ts';

const service = describeService();
let ask: ConnectedDirectory['ask'];
beforeAll(async () => {
  ({ ask } = await connectDirectory(service));
});

let created = 0;
const freshName = () => `mailbox-${++created}`;
const kept = ["o'brien@example.com", 'a&b@example.com', 'te~st@example.com', 'a=b@example.com', 'n/s@example.com'];
const international = ['user@xn--mller-kva.de', 'user@müller.de', 'почта@пример.рф'];
const notKept = ['"a b"@example.com', 'a@[192.0.2.1]', 'no address', '{"value":"a@example.com"}'];

async function newUser(address: string, given: object = {}): Promise<string> {
  const userName = freshName();
  const { status } = await ask('POST', '/Users', { userName, emails: [{ value: address }], ...given });
  expect(status).toBe(201);
  return userName;
}

/** The address that operators see. */
async function emailOf(userId: string): Promise<string | null> {
  const { getUser } = await import('#shared/domain/user/users.ts');
  return (await getUser({ userId: userId as UserId })).email;
}

const patch = (id: string, ...Operations: readonly object[]) => ask('PATCH', `/Users/${id}`, { Operations });
const replaceAddress = (value: unknown) => ({ op: 'replace', path: 'emails', value: [{ value }] });
const deactivate = { op: 'replace', path: 'active', value: false };

test.each([...kept, ...international])('%s is answered, kept and found', async (address) => {
  const id = await newUser('first@example.com');
  const { status, body } = await patch(id, replaceAddress(address));
  expect([status, body.emails, await emailOf(id)]).toEqual([200, [{ value: address }], address]);
  const { resolveUsers } = await import('#shared/domain/user/resolve-users.ts');
  const { findUsers } = await import('#shared/domain/user/find-users.ts');
  const [named] = await resolveUsers([`Somebody <${address.toUpperCase()}>`]);
  expect(named?.users.map(({ userId }) => userId)).toContain(id);
  const found = await findUsers({ q: address, limit: 10 });
  expect(found.items.map(({ userId }) => userId)).toContain(id);
  const filter = encodeURIComponent(`emails.value eq ${JSON.stringify(address.toUpperCase())}`);
  const { body: list } = await ask('GET', `/Users?filter=${filter}`);
  expect((list.Resources as { id: string }[]).map((user) => user.id)).toContain(id);
  await patch(id, { op: 'remove', path: 'emails' });
});

describe('an address that is not one', () => {
  test.each(notKept)('%s is refused, and the earlier one stays', async (address) => {
    const id = await newUser('kept@example.com');
    const before = await itemsBut(service);
    for (const answer of [
      await patch(id, replaceAddress(address)),
      await patch(id, { op: 'replace', path: 'emails[value eq "kept@example.com"].value', value: address }),
      await patch(id, { op: 'add', path: 'emails', value: [{ value: address }] }),
      await ask('PUT', `/Users/${id}`, { userName: id, emails: [{ value: address }] }),
      await ask('POST', '/Users', { userName: freshName(), emails: [{ value: address }] }),
    ]) {
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
      expect(answer.body.detail).toContain('emails');
      expect(answer.body.detail).not.toContain(address);
    }
    expect(await emailOf(id)).toBe('kept@example.com');
    expect(await itemsBut(service)).toEqual(before);
  });

  test('does not keep a directory from deactivating a user, whose earlier address stays', async () => {
    const id = await newUser('leaver@example.com');
    const { status, body } = await patch(id, replaceAddress('no address'), deactivate);
    expect([status, body.active, await emailOf(id)]).toEqual([200, false, 'leaver@example.com']);
    expect((await patch(id, { op: 'replace', path: 'title', value: 'x' })).status).toBe(200);
    expect((await patch(id, replaceAddress('back@example.com'))).status).toBe(200);
    expect(await emailOf(id)).toBe('back@example.com');
  });

  test('that the directory has sent before does not keep it from other changes', async () => {
    const id = await newUser('sent@example.com');
    await patch(id, replaceAddress('no address'), deactivate);
    const again = await ask('PUT', `/Users/${id}`, { userName: id, emails: [{ value: 'no address' }], active: true });
    expect([again.status, again.body.active, await emailOf(id)]).toEqual([200, true, 'sent@example.com']);
    expect((await patch(id, { op: 'remove', path: 'emails' })).status).toBe(200);
    expect(await emailOf(id)).toBeNull();
  });
});

test('a directory that removes the address of a user removes it here', async () => {
  const id = await newUser('gone@example.com');
  expect((await patch(id, { op: 'remove', path: 'emails' })).status).toBe(200);
  expect(await emailOf(id)).toBeNull();
});
