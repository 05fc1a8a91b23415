import * as v from 'valibot';
import {
  booleanSchema,
  optionalField,
  requiredField,
  resourceNameSchema,
  textField,
} from '#shared/contract/field-forms.ts';

/** `https` and no query, as OpenID Connect Discovery requires of an issuer (section 3); `http` only on this machine, for a try. */
const issuerSchema = v.pipe(
  v.string('must be a string'),
  v.regex(
    /^(?:https:\/\/[^\s?#@]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:\/[^\s?#@]*)?)$/,
    'must be an https URL without a query (http only for this machine)',
  ),
  v.maxLength(256, 'is too long'),
);

/** Client ids are visible ASCII (RFC 6749 appendix A.1); here without the separators. */
const clientsSchema = v.pipe(
  v.string('must be a string'),
  v.regex(
    /^[!-<>-~]+=[a-z][a-z0-9-]{1,39}(?: [!-<>-~]+=[a-z][a-z0-9-]{1,39})*$/,
    'must be like 0oa1=wiki 0oa2=billing',
  ),
  v.maxLength(2000, 'is too long'),
);

/** The attributes of a directory's user of which one becomes the `userId`. */
export const userIdAttributes = ['userName', 'externalId', 'email'] as const;
export type UserIdAttribute = (typeof userIdAttributes)[number];
const userIdAttributeSchema = v.picklist(userIdAttributes, `must be ${userIdAttributes.join(', ')} or null`);

/** Which users that exist already a directory may take over: none, or those with a matching `userId`. */
export const takeovers = ['none', 'matching'] as const;
const takeoverSchema = v.picklist(takeovers, `must be ${takeovers.join(', ')} or null`);

/** A schema of its own, so that its description is not that of an application's name. */
const nameSchema = v.pipe(resourceNameSchema);

/** What an operator sets of a connection, beside its lists. Those of another kind stay `null` or `false`. */
export const connectionFields = {
  name: requiredField({
    personal: false,
    stored: v.string(),
    shown: v.string(),
    input: nameSchema,
    body: nameSchema,
  }),
  issuer: optionalField({ personal: false, stored: v.string(), shown: v.string(), input: issuerSchema }),
  audience: textField({ personal: false, maxLength: 256 }),
  trustsUserHeader: requiredField({
    personal: false,
    stored: booleanSchema,
    shown: booleanSchema,
    input: booleanSchema,
    body: v.optional(booleanSchema, false),
  }),
  clients: optionalField({ personal: false, stored: v.string(), shown: v.string(), input: clientsSchema }),
  userIdClaim: textField({ personal: false, maxLength: 128 }),
  userIdAttribute: optionalField({
    personal: false,
    stored: userIdAttributeSchema,
    shown: userIdAttributeSchema,
    input: userIdAttributeSchema,
  }),
  takeover: optionalField({
    personal: false,
    stored: takeoverSchema,
    shown: takeoverSchema,
    input: takeoverSchema,
  }),
};
