import { textField } from './field-forms.ts';

/** What an operator sets of a role. */
export const roleFields = { description: textField({ personal: false, maxLength: 256 }) };
