import { textField, timeField } from './field-forms.ts';
import { maxReasonLength } from './fields.ts';

/** What an operator or an application sets of an access, beside its status. */
export const accessFields = {
  until: timeField({ personal: false }),
  reason: textField({ personal: true, maxLength: maxReasonLength }),
};
