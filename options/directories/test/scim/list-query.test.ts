import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import type { DirectoryUser } from '../../scim/directory.ts';
import { readFilter } from '../../scim/filter.ts';
import { readGroupQuery, readUserQuery } from '../../scim/list-query.ts';

const refusal = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return error instanceof ServiceError ? error.options.members?.scimType : error;
  }
};
const usersOf = (filter: string) => readUserQuery(new URLSearchParams({ filter })).conditions;
const groupsOf = (filter: string) => readGroupQuery(new URLSearchParams({ filter })).conditions;

describe('a filter of users', () => {
  test.each([
    ['userName eq "a@x.io"', { userName: 'a@x.io' }],
    ['USERNAME EQ "A@X.io"', { userName: 'A@X.io' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', { userName: 'a' }],
    ['externalId eq "e"', { externalId: 'e' }],
    ['id eq "u1"', { id: 'u1' }],
    ['emails.value eq "a@x.io"', { email: 'a@x.io' }],
    ['emails eq "a@x.io"', { email: 'a@x.io' }],
    ['emails[type eq "work"].value eq "a@x.io"', { email: 'a@x.io' }],
    ['userName eq "a" and externalId eq "e"', { userName: 'a', externalId: 'e' }],
    ['(userName eq "a") and (externalId eq "e" and id eq "i")', { userName: 'a', externalId: 'e', id: 'i' }],
    ['userName eq "a and b eq \\"c\\""', { userName: 'a and b eq "c"' }],
    ['userName eq "DOMAIN\\\\ada"', { userName: 'DOMAIN\\ada' }],
    ['userName eq "\\u00e9\\n"', { userName: 'é\n' }],
    ['userName eq "7"', { userName: '7' }],
    ['userName eq "é ] . ["', { userName: 'é ] . [' }],
  ])('%s', (filter, expected) => {
    expect(usersOf(filter)).toEqual(expected);
  });

  test.each([
    ['userName co "a"'],
    ['userName ne "a"'],
    ['userName eq "a" or userName eq "b"'],
    ['not (userName eq "a")'],
    ['userName pr'],
    ['active eq true'],
    ['userName eq True'],
    ['userName eq null'],
    ['userName eq a'],
    ['userName eq'],
    ['userName'],
    ['userName eq "a" and userName eq "b"'],
    ['displayName eq "A"'],
    ['emails.type eq "work"'],
    ['emails[type eq "work"]'],
    ['emails[type eq "work"] and emails.value eq "a"'],
    ['emails[primary eq true].value eq "a"'],
    ['emails[type eq "work" and primary eq true].value eq "a"'],
    ['name[givenName eq "A"].familyName eq "B"'],
    ['manager eq "m"'],
    ['__proto__ eq "a"'],
    ['constructor eq "a"'],
    ['userName eq "a\\"'],
    ['userName eq "\\x"'],
    [`userName eq "${'a'.repeat(2000)}"`],
  ])('refuses %s', (filter) => {
    expect(refusal(() => usersOf(filter))).toBe('invalidFilter');
  });

  test('an address for another purpose does not count', () => {
    const { alsoHolds } = readUserQuery(new URLSearchParams({ filter: 'emails[type eq "work"].value eq "a"' }));
    const user = (type: string) => ({ attributes: { emails: [{ value: 'a', type }] } }) as unknown as DirectoryUser;
    expect([alsoHolds?.(user('WORK')), alsoHolds?.(user('home'))]).toEqual([true, false]);
  });

  test('an address for a purpose is the same in any case, as RFC 7643 declares it', () => {
    const filter = 'emails[type eq "work"].value eq "Jos\u0065\u0301@X.io"';
    const { alsoHolds } = readUserQuery(new URLSearchParams({ filter }));
    const user = (value: string) => ({ attributes: { emails: [{ value, type: 'work' }] } }) as unknown as DirectoryUser;
    expect([alsoHolds?.(user('jos\u00e9@x.IO')), alsoHolds?.(user('jose@x.io'))]).toEqual([true, false]);
  });

  test('the manager is compared for one user', () => {
    const filter = 'id eq "u" and urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "m"';
    const { conditions, alsoHolds } = readUserQuery(new URLSearchParams({ filter }));
    const user = (value: string) =>
      ({
        attributes: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value } } },
      }) as unknown as DirectoryUser;
    expect([conditions, alsoHolds?.(user('m')), alsoHolds?.(user('n'))]).toEqual([{ id: 'u' }, true, false]);
    const byValue = readUserQuery(new URLSearchParams({ filter: 'id eq "u" and manager.value eq "m"' }));
    expect([byValue.conditions, byValue.alsoHolds?.(user('m')), byValue.alsoHolds?.(user('M'))]).toEqual([
      { id: 'u' },
      true,
      false,
    ]);
  });

  test('what the conditions do not find must hold as a whole, of users who have it at all', () => {
    const filter = 'emails[type eq "work"].value eq "a" and manager eq "m"';
    const { alsoHolds } = readUserQuery(new URLSearchParams({ filter }));
    const emails = [{ value: 'a', type: 'work' }];
    const enterprise = { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'm' } } };
    const holds = (attributes: object) => alsoHolds?.({ attributes } as unknown as DirectoryUser);
    expect([holds({ emails, ...enterprise }), holds({ emails }), holds(enterprise), holds({})]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(readUserQuery(new URLSearchParams({ filter: 'userName eq "a"' })).alsoHolds).toBeUndefined();
  });

  test('a text that does not end takes no time', () => {
    const before = process.cpuUsage();
    expect(refusal(() => readFilter(`userName eq "${'\n'.repeat(1900)}`))).toBe('invalidFilter');
    expect(refusal(() => readFilter('('.repeat(2000)))).toBe('invalidFilter');
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

test('a filter of groups', () => {
  expect(groupsOf('displayName eq "G"')).toEqual({ displayName: 'G' });
  expect(groupsOf('id eq "g" and members eq "u"')).toEqual({ id: 'g', member: 'u' });
  expect(groupsOf('members.value eq "u" and externalId eq "e"')).toEqual({ member: 'u', externalId: 'e' });
  for (const refused of ['userName eq "a"', 'members[value eq "u"].type eq "User"', 'displayName sw "G"']) {
    expect(refusal(() => groupsOf(refused))).toBe('invalidFilter');
  }
});

test('a page has bounds, and what is smaller or larger is moved into them', () => {
  const page = (query: string) => {
    const { startIndex, count } = readUserQuery(new URLSearchParams(query));
    return [startIndex, count];
  };
  expect(page('')).toEqual([1, 100]);
  expect(page('startIndex=&count=')).toEqual([1, 100]);
  expect(page('startIndex=0&count=-3')).toEqual([1, 0]);
  expect(page('startIndex=101&count=100&aadOptscim062020=&sortBy=userName')).toEqual([101, 100]);
  expect(page('count=1000000')).toEqual([1, 100]);
  for (const refused of ['startIndex=x', 'count=1.5', 'count=12345678901']) {
    expect(refusal(() => page(refused))).toBe('invalidValue');
  }
});
