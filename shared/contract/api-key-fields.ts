import { textField } from './field-forms.ts';

/** Labels of an application's keys are so short that all of them stay within what one read costs. */
const maxKeyLabelLength = 60;

/** What an operator sets of an API key after it was issued. */
export const keyFields = { label: textField({ personal: false, maxLength: maxKeyLabelLength }) };
