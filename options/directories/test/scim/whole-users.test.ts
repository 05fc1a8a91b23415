import { describe, expect, test } from '@jest/globals';
import { readNewUser, readReplacement } from '../../scim/user-change.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';
import { ada, refusal } from '../support/scim-user.ts';

const enterprise = enterpriseSchema.id;

describe('a PUT of a user', () => {
  test('ignores what is read only, so an answer can be sent back', () => {
    const body = {
      schemas: ['urn:x'],
      id: 'another',
      meta: { version: '1' },
      groups: [{ value: 'g' }],
      userName: ada.userName,
      externalId: 'e1',
      active: true,
      ...ada.attributes,
    };
    expect(readReplacement(body)(ada)).toEqual(ada);
  });

  test('keeps whether the user is active, and the externalId, if it does not say', () => {
    for (const current of [ada, { ...ada, active: false }]) {
      expect(readReplacement({ userName: 'a', active: null })(current)).toEqual({
        ...current,
        userName: 'a',
        attributes: {},
      });
    }
    expect(readReplacement({ userName: 'a', active: 'FALSE' })(ada).active).toBe(false);
  });

  test('requires a userName', () => {
    expect(refusal(() => readReplacement({ active: true })(ada))).toBe('invalidValue');
  });
});

describe('a POST of a user', () => {
  test("accepts Okta's body, and keeps nothing of its password", () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'a@x.io',
      name: { givenName: 'A', familyName: 'B' },
      emails: [{ primary: true, value: 'a@x.io', type: 'work' }],
      displayName: 'A B',
      locale: 'en-US',
      externalId: 'e1',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    expect(readNewUser(body)).toEqual({
      userName: 'a@x.io',
      externalId: 'e1',
      active: true,
      attributes: {
        name: { givenName: 'A', familyName: 'B' },
        displayName: 'A B',
        locale: 'en-US',
        emails: [{ primary: true, value: 'a@x.io', type: 'work' }],
      },
    });
  });

  test("accepts Entra ID's body, with null for what is absent", () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      externalId: 'o1',
      userName: 'a@x.io',
      active: true,
      displayName: null,
      title: null,
      roles: [],
      emails: [{ primary: true, type: 'work', value: 'a@x.io' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'A B', familyName: null },
      [enterprise]: { employeeNumber: null, department: 'X', manager: null },
    };
    expect(readNewUser(body).attributes).toEqual({
      name: { formatted: 'A B' },
      emails: [{ primary: true, type: 'work', value: 'a@x.io' }],
      [enterprise]: { department: 'X' },
    });
  });

  test.each([
    [{}, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'a', active: 'yes' }, 'invalidValue'],
    [{ userName: 'a', roles: [{ value: 'admin' }] }, 'invalidValue'],
    [{ userName: 'a', userNAME: 'b' }, 'invalidSyntax'],
    [{ userName: 'a', name: 'Ada' }, 'invalidValue'],
    [{ userName: 'a', name: { givenName: 'A', GivenName: 'B' } }, 'invalidSyntax'],
    [{ userName: 'a', [enterprise]: 'x' }, 'invalidValue'],
    [{ userName: 'a', emails: Array.from({ length: 101 }, (_, n) => ({ value: String(n) })) }, 'invalidValue'],
  ])('refuses %j', (body, scimType) => {
    expect(refusal(() => readNewUser(body))).toBe(scimType);
  });

  test('names are the same in any case, and what is not declared is ignored', () => {
    const body = { USERNAME: 'a', Emails: [{ VALUE: 'x', more: 1 }], 'odd key': 1, 'urn:example:badge': { a: 1 } };
    expect(readNewUser(body)).toEqual({
      userName: 'a',
      externalId: null,
      active: true,
      attributes: { emails: [{ value: 'x' }] },
    });
  });
});
