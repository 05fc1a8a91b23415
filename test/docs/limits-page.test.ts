import { expect, test } from '@jest/globals';
import { maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { maxUsersPerBulk } from '#shared/contract/bulk-calls.ts';
import { maxTicketLength } from '#shared/contract/change-reason.ts';
import {
  maxBodyBytes,
  maxPageSize,
  maxReasonLength,
  maxYearsAhead,
  userIdCharacters,
} from '#shared/contract/fields.ts';
import { maxRolesPerAccess } from '#shared/contract/grant.ts';
import { maxSearchWords } from '#shared/domain/user/search-words.ts';
import { documentedLimit } from '../support/documented-limit.ts';

const limits: readonly [what: string, limit: string][] = [
  ['`userId`', userIdCharacters.replace('|', '\\|')],
  ['`reason`', `${maxReasonLength} characters`],
  ['`ticket`', `${maxTicketLength} characters`],
  ['`until`, `expiresAt`', `${maxYearsAhead} years`],
  ['roles of a user in one application', String(maxRolesPerAccess)],
  ['active keys', String(maxKeysPerOwner)],
  ['words by which a user is found', String(maxSearchWords)],
  ['body', `${maxBodyBytes / 1024} KB`],
  ['users in one check', String(maxUsersPerBulk)],
  ['page of a list', String(maxPageSize)],
];

test.each(limits)('the page on limits says of %s what the code allows: %s', (what, limit) => {
  expect(documentedLimit(what)).toContain(` ${limit}`);
});
