import type { Field, Fields } from './field-forms.ts';
import { optionChanges } from './option-changes.ts';
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
  ...optionChanges.harmless,
];

/** The members of a recorded state that a redacted Change keeps; all others are redacted, known or not. */
export const harmlessMembers: ReadonlySet<string> = new Set([
  ...harmlessFacts,
  ...namesWhere((field) => !field.personal),
]);

/** The fields whose values a redacted Change lacks. */
export const personalFields: ReadonlySet<string> = new Set([
  ...optionChanges.personal,
  ...namesWhere((field) => field.personal),
]);

function namesWhere(matches: (field: Field) => boolean): string[] {
  const fields = Object.values<Fields>(resourceFields).flatMap((described) => Object.entries(described));
  return fields.flatMap(([name, field]) => (matches(field) ? [name] : []));
}
