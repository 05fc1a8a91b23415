import * as v from 'valibot';
import { textSchema, timestampSchema } from './fields.ts';

/*
 * What can be set of a resource, each field described once, in `<resource>-fields.ts`: items, views, bodies, the states of a
 * Change, the snapshot, redaction, CSV columns and what is restored derive from these records.
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
export function textField({ personal, maxLength }: FieldOptions & { readonly maxLength: number }) {
  return optionalField({ personal, stored: v.string(), shown: v.string(), input: textSchema(maxLength) });
}

/** An instant. */
// @__NO_SIDE_EFFECTS__
export function timeField({ personal }: FieldOptions) {
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
export function optionalField<
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

/** The value of a field that is true or false. */
export const booleanSchema = v.boolean('must be true or false');

/** The name of a resource, for people. */
export const resourceNameSchema = textSchema(100);

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

/** The values of fields in a recorded state; those that it does not name are unset. */
export function recordedFields<Described extends Fields>(
  fields: Described,
  recorded: Readonly<Record<string, unknown>> | null,
): FieldValues<Described> {
  return pickFields(fields, recorded ?? {}) as FieldValues<Described>;
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
