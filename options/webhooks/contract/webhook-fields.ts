import * as v from 'valibot';
import { booleanSchema, requiredField } from '#shared/contract/field-forms.ts';
import { webhookFormats } from './webhook-formats.ts';

const webhookFormatSchema = v.picklist(webhookFormats, `must be ${webhookFormats.join(' or ')}`);

/** Only its form; where it may lead is checked when it is set and again at each delivery. */
const webhookUrlSchema = v.pipe(
  v.string('must be a string'),
  v.regex(/^https?:\/\/[^\s#@/?\\]+([/?][^\s#]*)?$/, 'must be an https URL without credentials and fragment'),
  v.maxLength(512, 'is too long'),
);

/** What is set of a webhook, beside the list of its events. A URL can contain a token, so it is treated like personal data. */
export const webhookFields = {
  url: requiredField({
    personal: true,
    stored: v.string(),
    shown: v.string(),
    input: webhookUrlSchema,
    body: webhookUrlSchema,
  }),
  format: requiredField({
    personal: false,
    stored: webhookFormatSchema,
    shown: webhookFormatSchema,
    input: webhookFormatSchema,
    body: v.optional(webhookFormatSchema, 'standard'),
  }),
  enabled: requiredField({
    personal: false,
    stored: booleanSchema,
    shown: booleanSchema,
    input: booleanSchema,
    body: v.optional(booleanSchema, true),
  }),
};
