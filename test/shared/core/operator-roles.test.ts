import { describe, expect, test } from '@jest/globals';
import { rolesOfArn, rolesOfToken } from '#shared/core/operator-roles.ts';

const admin = [{ role: 'admin', appId: null }];
const viewer = [{ role: 'viewer', appId: null }];
const support = [{ role: 'support', appId: null }];

describe('the roles of a token', () => {
  const settings = {
    claim: 'https://example.com/groups',
    groups: { '8f2c-help desk': 'support', 'Domain Admins': 'admin', '/desk/billing': 'support:billing' },
  };

  test.each([
    [['8f2c-help desk'], support],
    [
      ['Domain Admins', '/desk/billing'],
      [...admin, { role: 'support', appId: 'billing' }],
    ],
    [['admin'], viewer],
    [['support:billing'], viewer],
    [['x Domain Admins', 'Domain', 'Admins', 'domain admins'], viewer],
    [['__proto__', 'constructor', 'toString'], viewer],
    ['Domain Admins', viewer],
    [undefined, viewer],
  ])('of another provider are those that the map has for exactly its groups: %j', (groups, roles) => {
    expect(rolesOfToken({ [settings.claim]: groups, 'cognito:groups': ['admin'] }, settings)).toEqual(roles);
  });

  test.each([{ '': ['admin'] }, { undefined: ['admin'] }, { 'cognito:groups': ['admin'] }])(
    'are those of a viewer if no claim is configured: %j',
    (payload) => {
      expect(rolesOfToken(payload, { groups: {} })).toEqual(viewer);
    },
  );
});

describe('the roles of an IAM identity', () => {
  const session = (role: string, name: string) => `arn:aws:sts::111122223333:assumed-role/${role}/${name}`;

  test.each([
    ['arn:aws:iam::111122223333:user/edith', support],
    ['arn:aws:iam::111122223333:user/edith2', viewer],
    ['arn:aws:iam::444455556666:user/edith', viewer],
    ['arn:aws:iam::111122223333:user/desk/ann', viewer],
    ['arn:aws:iam::111122223333:user/deskXann', viewer],
    [session('Support', 'anybody'), support],
    [session('Support', 'Admin'), support],
    [session('SupportNot', 'Support'), viewer],
    [session('eXact', 'a'), viewer],
    [session('e.act', 'a'), viewer],
    [session('e?act', 'a'), viewer],
  ])('%s: are those of the matching patterns, otherwise viewer', (arn, roles) => {
    const patterns = {
      'arn:aws:iam::111122223333:user/edith': 'support',
      'arn:aws:iam::*:user/desk/*': 'viewer',
      'arn:aws:sts::*:assumed-role/Support/*': 'support',
      'arn:aws:sts::*:assumed-role/e.act': 'viewer',
      'arn:aws:sts::*:assumed-role/eXact': 'viewer',
    };
    expect(rolesOfArn(arn, { arns: patterns })).toEqual(roles);
  });

  test('are admin for every identity without any pattern', () => {
    expect(rolesOfArn(session('Support', 'anybody'), { arns: {} })).toEqual(admin);
  });

  test('add up if several patterns match', () => {
    const patterns = { '*': 'viewer', 'arn:aws:sts::*:assumed-role/Billing*': 'support:billing' };
    expect(rolesOfArn(session('Billing', 'a'), { arns: patterns })).toEqual([
      ...viewer,
      { role: 'support', appId: 'billing' },
    ]);
    expect(rolesOfArn(session('Other', 'Billing'), { arns: patterns })).toEqual(viewer);
  });

  test('are only those to which it is limited, whatever the patterns say, and also without any', () => {
    const limited = { 'arn:aws:sts::111122223333:assumed-role/Registrar/*': 'admin:billing' };
    const registrar = [{ role: 'admin', appId: 'billing' }];
    expect(rolesOfArn(session('Registrar', 'a'), { arns: {}, limited })).toEqual(registrar);
    expect(rolesOfArn(session('Registrar', 'a'), { arns: { '*': 'admin' }, limited })).toEqual(registrar);
    expect(rolesOfArn(session('Other', 'Registrar'), { arns: {}, limited })).toEqual(admin);
    expect(rolesOfArn(session('Registrar2', 'a'), { arns: { '*': 'viewer' }, limited })).toEqual(viewer);
  });

  test.each(['arn:aws:sts::*:assumed-role/*admin', '*admin', 'arn:aws:sts::*:assumed-role/Desk/admin'])(
    'do not depend on the session name, which the caller chooses: %s',
    (pattern) => {
      const patterns = { '*': 'viewer', [pattern]: 'admin' };
      expect(rolesOfArn(session('Desk', 'admin'), { arns: patterns })).toEqual(viewer);
      expect(rolesOfArn('arn:aws:sts::111122223333:federated-user/admin', { arns: patterns })).toEqual(viewer);
    },
  );
});
