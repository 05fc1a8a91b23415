import * as v from 'valibot';
import { reasonDemands } from './change-reason.ts';
import { emailAddressSchema } from './email-address.ts';
import { maxReasonLength, textSchema, timestampSchema } from './fields.ts';
import { fullRollout } from './rollout.ts';

/*
 * What can be set of the resources, each field described once: items, views, bodies, the states of a Change, the snapshot,
 * redaction, CSV columns and what is restored derive from these records.
 */

interface FieldOptions {
  /**
   * Whether the value is removed from a redacted Change. The MAC of stored Changes depends on it, so it never changes for a
   * name, and a name means the same in all resources.
   */
  readonly personal: boolean;
}

/** Text that people enter. */
// @__NO_SIDE_EFFECTS__
function textField({ personal, maxLength }: FieldOptions & { readonly maxLength: number }) {
  return optionalField({ personal, stored: v.string(), shown: v.string(), input: textSchema(maxLength) });
}

/** An instant. */
// @__NO_SIDE_EFFECTS__
function timeField({ personal }: FieldOptions) {
  return optionalField({ personal, stored: v.string(), shown: timestampSchema, input: timestampSchema });
}

interface Forms<Stored, Shown, Input> extends FieldOptions {
  /** In an item. It was checked when it was written. */
  readonly stored: Stored;
  /** In an answer. */
  readonly shown: Shown;
  /** In a request. */
  readonly input: Input;
}

/** A field that is `null` until it is set. Items that were written before the field existed lack it, which means the same. */
// @__NO_SIDE_EFFECTS__
function optionalField<
  Stored extends v.GenericSchema,
  Shown extends v.GenericSchema,
  Input extends v.GenericSchema<string> | v.GenericSchema<number>,
>({ personal, stored, shown, input }: Forms<Stored, Shown, Input>) {
  return {
    personal,
    stored: v.optional(v.nullable(stored), null),
    shown: v.nullable(shown),
    input,
    /** In a request that replaces the resource: omitted members are cleared. */
    body: v.nullish(input, null),
    /** In a partial update: omitted members keep their values. */
    patch: v.optional(v.nullable(input)),
  };
}

/** A field that always has a value. */
// @__NO_SIDE_EFFECTS__
export function requiredField<
  Stored extends v.GenericSchema,
  Shown extends v.GenericSchema,
  Input extends v.GenericSchema,
  Body extends v.GenericSchema,
>({ body, ...forms }: Forms<Stored, Shown, Input> & { readonly body: Body }) {
  return { ...forms, body, patch: v.optional(forms.input) };
}

/** A field in its forms; a form is the schema of its value in one place. */
export type Field = Readonly<Record<'stored' | 'shown' | 'input' | 'body' | 'patch', v.GenericSchema>> & FieldOptions;
/** Fields by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** What an operator or an application sets of an access, beside its status. */
export const accessFields = {
  until: timeField({ personal: false }),
  reason: textField({ personal: true, maxLength: maxReasonLength }),
};

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

/** What an operator sets of a role. */
export const roleFields = { description: textField({ personal: false, maxLength: 256 }) };

/** Labels of an application's keys are so short that all of them stay within what one read costs. */
const maxKeyLabelLength = 60;

/** What an operator sets of an API key after it was issued. */
export const keyFields = { label: textField({ personal: false, maxLength: maxKeyLabelLength }) };

const applicationNameSchema = textSchema(100);

/** Two decimals, because there are 10,000 buckets. */
const rolloutPercentSchema = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(fullRollout, `must be at most ${fullRollout}`),
  v.check((percent) => Math.round(percent * 100) / 100 === percent, 'must have at most two decimals'),
);

/** More than the account's quota of API Gateway. */
export const maxRequestsPerSecond = 100_000;

const requestsPerSecondSchema = wholeNumberUpTo(maxRequestsPerSecond);

/** The number of a field that can also be `null`. */
function wholeNumberUpTo(max: number) {
  return v.pipe(
    v.number('must be a number or null'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(max, `must be at most ${max}`),
  );
}

/** What every application has. */
export const requiredApplicationFields = {
  name: requiredField({
    personal: false,
    stored: v.string(),
    shown: v.string(),
    input: applicationNameSchema,
    body: applicationNameSchema,
  }),
  rolloutPercent: requiredField({
    personal: false,
    stored: v.number(),
    shown: rolloutPercentSchema,
    input: rolloutPercentSchema,
    body: v.optional(rolloutPercentSchema, fullRollout),
  }),
};

/** `https` and no query, as OpenID Connect Discovery requires of an issuer (section 3). */
const issuerSchema = v.pipe(
  v.string('must be a string'),
  v.regex(/^https:\/\/[^\s?#@]+$/, 'must be an https URL without a query'),
  v.maxLength(256, 'is too long'),
);

export const booleanSchema = v.boolean('must be true or false');

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
const userIdAttributeSchema = v.picklist(userIdAttributes, `must be ${userIdAttributes.join(', ')} or null`);

/** Which users that exist already a directory may take over: none, or those with a matching `userId`. */
export const takeovers = ['none', 'matching'] as const;
const takeoverSchema = v.picklist(takeovers, `must be ${takeovers.join(', ')} or null`);

/** What an operator sets of a connection, beside its lists. Those of another kind stay `null` or `false`. */
export const connectionFields = {
  name: requiredField({
    personal: false,
    stored: v.string(),
    shown: v.string(),
    input: applicationNameSchema,
    body: applicationNameSchema,
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

const requireReasonSchema = v.picklist(reasonDemands, `must be ${reasonDemands.join(', ')} or null`);

/** Ten years. */
export const maxReviewEveryDays = 3650;

const reviewEveryDaysSchema = wholeNumberUpTo(maxReviewEveryDays);

/** What an application may have. */
export const optionalApplicationFields = {
  requestsPerSecond: optionalField({
    personal: false,
    stored: v.number(),
    shown: requestsPerSecondSchema,
    input: requestsPerSecondSchema,
  }),
  requireReason: optionalField({
    personal: false,
    stored: v.picklist(reasonDemands),
    shown: requireReasonSchema,
    input: requireReasonSchema,
  }),
  reviewEveryDays: optionalField({
    personal: false,
    stored: v.number(),
    shown: reviewEveryDaysSchema,
    input: reviewEveryDaysSchema,
  }),
};

/** What an operator sets of an application. */
export const applicationFields = { ...requiredApplicationFields, ...optionalApplicationFields };

/** What can be set of each resource. */
export const resourceFields = {
  access: accessFields,
  user: userFields,
  role: roleFields,
  key: keyFields,
  application: applicationFields,
  connection: connectionFields,
} as const satisfies Readonly<Record<string, Fields>>;

type FormOf<Described extends Fields, Form extends keyof Field> = {
  readonly [Name in keyof Described]: Described[Name][Form];
};

/** The schemas of fields in one form, as entries of an object schema. */
// @__NO_SIDE_EFFECTS__
export function fieldEntries<Described extends Fields, Form extends keyof Field>(fields: Described, form: Form) {
  return mapFields(fields, (name) => fields[name]?.[form]) as FormOf<Described, Form>;
}

/** The names of fields, in the order in which they are shown. */
export function fieldNames<Described extends Fields>(fields: Described) {
  return Object.keys(fields) as (keyof Described & string)[];
}

/** The values of fields in an object, without their schemas. */
export type FieldValues<Described extends Fields> = {
  readonly [Name in keyof Described]: v.InferOutput<Described[Name]['stored']>;
};

/** The same values where all may be absent. */
export type FieldChanges<Described extends Fields> = {
  readonly [Name in keyof Described]?: FieldValues<Described>[Name] | undefined;
};

type ValueOrNull<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** The values of fields in an object that may have more members; one that is left out is `null`. */
export function pickFields<Name extends string, Source extends { readonly [Member in Name]?: unknown }>(
  fields: Readonly<Record<Name, Field>>,
  source: Source,
) {
  type Values = { readonly [Member in Name]: Member extends keyof Source ? ValueOrNull<Source[Member]> : null };
  return mapFields(fields, (name) => source[name as Name] ?? null) as Values;
}

/** The object without the fields. */
export function omitFields<Source extends object, Name extends string>(
  fields: Readonly<Record<Name, Field>>,
  source: Source,
): Omit<Source, Name> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !(name in fields))) as Omit<Source, Name>;
}

/** The values of fields after a change in which `undefined` keeps a value. */
export function mergeFields<Described extends Fields>(
  fields: Described,
  current: FieldValues<Described>,
  changes: FieldChanges<NoInfer<Described>>,
): FieldValues<Described> {
  const merged = mapFields(fields, (name) => (changes[name] === undefined ? current[name] : changes[name]));
  return merged as FieldValues<Described>;
}

/** Whether the values of fields are the same in two objects. */
export function equalFields<Name extends string>(
  fields: Readonly<Record<Name, Field>>,
  one: Readonly<Record<NoInfer<Name>, unknown>>,
  other: Readonly<Record<NoInfer<Name>, unknown>>,
): boolean {
  return Object.keys(fields).every((name) => one[name as Name] === other[name as Name]);
}

/** The values of fields that were never set. */
// @__NO_SIDE_EFFECTS__
export function unsetFields<Name extends string>(fields: Readonly<Record<Name, Field>>) {
  return mapFields(fields, () => null) as { readonly [Member in Name]: null };
}

function mapFields(fields: Fields, valueFor: (name: string) => unknown): object {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, valueFor(name)]));
}
