import { accessFields } from './access-fields.ts';
import { keyFields } from './api-key-fields.ts';
import { applicationFields } from './application-fields.ts';
import { describeMembers } from './descriptions.ts';
import { type Fields, fieldEntries } from './field-forms.ts';
import { roleFields } from './role-fields.ts';
import { userFields } from './user-fields.ts';

/** Says what fields mean, in every form. */
export function describeFields<Described extends Fields>(
  fields: Described,
  descriptions: { readonly [Name in keyof NoInfer<Described>]: string },
): void {
  const forms = ['shown', 'body', 'patch'] as const;
  const entries: readonly { readonly [Name in keyof Described]: unknown }[] = forms.map((form) =>
    fieldEntries(fields, form),
  );
  describeMembers(entries, descriptions);
}

describeFields(accessFields, {
  until: 'When the block expires; allowed only with status `disabled`. `null` for never.',
  reason: 'The reason, which operators and the application can show.',
});

describeFields(userFields, {
  displayName: 'The name of the user for people; `null` if it has none.',
  email: 'The e-mail address of the user; `null` if it has none.',
});

describeFields(roleFields, { description: 'What the role allows; `null` if not described.' });

describeFields(keyFields, { label: 'The name of the key for people; `null` if it has none.' });

describeFields(applicationFields, {
  name: 'The name of the application for people.',
  rolloutPercent:
    'The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them.',
  requestsPerSecond:
    'The requests per second that the application may send to the Service API, over all routes and keys; above it, some are refused with 429. `null` for no limit.',
  requireReason:
    'Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it.',
  reviewEveryDays:
    'How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected.',
});
