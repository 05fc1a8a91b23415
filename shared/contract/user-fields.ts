import * as v from 'valibot';
import { emailAddressSchema } from './email-address.ts';
import { optionalField, textField } from './field-forms.ts';

/** What an operator sets of a user, beside the status. */
export const userFields = {
  displayName: textField({ personal: true, maxLength: 100 }),
  email: optionalField({
    personal: true,
    stored: v.string(),
    shown: v.string(),
    input: emailAddressSchema,
  }),
};
