import { expect, test } from '@jest/globals';
import { documentedLimit } from '#test/support/documented-limit.ts';
import { maxApplicationsPerConnection } from '../contract/connection.ts';
import { maxGroupRoles } from '../contract/group-roles.ts';

test('the page on limits says how many applications and roles a connection may have', () => {
  expect(documentedLimit('applications of a connection')).toContain(`| ${maxApplicationsPerConnection} `);
  expect(documentedLimit('roles that the groups of a connection give')).toContain(`| ${maxGroupRoles} `);
});
