import { describe, expect, test } from '@jest/globals';
import { changeSchemas } from '#shared/contract/change-details.ts';
import { harmlessMembers, personalFields } from '#shared/contract/personal-fields.ts';
import { resourceFields } from '#shared/contract/resource-fields.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { chained } from './exported-changes.ts';

const fields = Object.entries(resourceFields).flatMap(([resource, described]) =>
  Object.entries(described).map(([name, { personal }]) => [resource, name, personal] as const),
);
const personal = fields.filter(([, , isPersonal]) => isPersonal);

describe('a redacted Change', () => {
  test.each(personal)('%s: lacks %s', (_, name) => {
    const redacted = redactChange({
      ...chained,
      before: { [name]: 'secret' },
      after: { version: 2, [name]: 'secret' },
    });
    expect(redacted).toMatchObject({ before: {}, after: { version: 2 } });
    expect(JSON.stringify(redacted)).not.toContain('secret');
  });

  test.each(fields.filter(([, , isPersonal]) => !isPersonal))('%s: keeps %s', (_, name) => {
    expect(redactChange({ ...chained, after: { [name]: 'shown' } })).toMatchObject({ after: { [name]: 'shown' } });
  });

  test.each(['caller', 'before', 'after'])('omits an unknown member of %s', (member) => {
    const redacted = redactChange({ ...chained, [member]: { ...Object(chained)[member], unknown: 'secret' } });
    expect(JSON.stringify(redacted)).not.toContain('secret');
  });

  test.each([{ unknown: 'secret' }, { unknown: { status: 'secret' } }, { before: 'secret' }])(
    'omits what no schema describes: %j',
    (members) => {
      expect(JSON.stringify(redactChange({ ...chained, ...members }))).not.toContain('secret');
    },
  );
});

test('a name is personal in every resource or in none, as the recordedStates of a Change do not say whose they are', () => {
  expect(personal.filter(([, name]) => harmlessMembers.has(name))).toEqual([]);
});

// The list is written out, so that a field is not declared harmless by mistake: a redacted export is given to others.
test('a redacted Change keeps these members of its recordedStates and no others', () => {
  expect([...harmlessMembers].sort()).toEqual(
    [
      'description',
      'expiresAt',
      'explicit',
      'fromGroup',
      'granted',
      'keyId',
      'label',
      'name',
      'newExpiresAt',
      'laterChanges',
      'reviewEveryDays',
      'reviewedAsOf',
      'kind',
      'applications',
      'groupRoles',
      'userIdAttribute',
      'takeover',
      'clients',
      'userIdClaim',
      'issuer',
      'audience',
      'trustsUserHeader',
      'clientType',
      'redirectUris',
      'logoutUris',
      'secretAddedAt',
      'invitedAt',
      'signedOutAt',
      'format',
      'enabled',
      'events',
      'offReason',
      'secretId',
      'previousSecretId',
      'previousSecretUntil',
      'requestsPerSecond',
      'requireReason',
      'revokedAt',
      'rolloutPercent',
      'scopes',
      'status',
      'until',
      'version',
    ].sort(),
  );
});

test('every member of a state that the API describes is declared', () => {
  const recordedStates = Object.values(changeSchemas).flatMap(({ entries: { before, after } }) => [before, after]);
  const names = recordedStates.flatMap((recorded) =>
    Object.keys('wrapped' in recorded ? recorded.wrapped.entries : entriesOf(recorded)),
  );
  const declared = new Set([...harmlessMembers, ...personalFields, ...personal.map(([, name]) => name)]);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !declared.has(name))).toEqual([]);
});

function entriesOf(recorded: object): object {
  return 'entries' in recorded ? Object(recorded.entries) : {};
}
