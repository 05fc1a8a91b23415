import type { Field, Fields } from './field-forms.ts';
import { resourceFields } from './resource-fields.ts';

/** The other members of the states that Changes record: states, times and numbers, which identify no person. */
const harmlessFacts = [
  'version',
  'status',
  'explicit',
  'granted',
  'expiresAt',
  'keyId',
  'scopes',
  'revokedAt',
  'newExpiresAt',
  'fromGroup',
  'reviewedAsOf',
  'laterChanges',
  'kind',
  'applications',
  'groupRoles',
  'format',
  'enabled',
  'events',
  'offReason',
  'secretId',
  'previousSecretId',
  'previousSecretUntil',
];

/** The members of a recorded state that a redacted Change keeps; all others are redacted, known or not. */
export const harmlessMembers: ReadonlySet<string> = new Set([
  ...harmlessFacts,
  ...namesWhere((field) => !field.personal),
]);

/** The fields whose values a redacted Change lacks; the URL of a webhook can contain a token. */
export const personalFields: ReadonlySet<string> = new Set(['url', ...namesWhere((field) => field.personal)]);

function namesWhere(matches: (field: Field) => boolean): string[] {
  const fields = Object.values<Fields>(resourceFields).flatMap((described) => Object.entries(described));
  return fields.flatMap(([name, field]) => (matches(field) ? [name] : []));
}
