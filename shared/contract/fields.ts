import * as v from 'valibot';
import { describeMembers } from './descriptions.ts';

/** What a segment of a path may have bare (`pchar` in RFC 3986 section 3.3), and the bar. */
const userIdCharacter = String.raw`[A-Za-z0-9\-._~!$&'()*+,;=:@|]`;
/** `.` and `..` are left out because URL parsers remove them from a path. */
export const userIdPattern = new RegExp(String.raw`^(?!\.{1,2}$)${userIdCharacter}{1,128}$`);
/** The beginning of a user id, or nothing. */
export const userIdPrefixPattern = new RegExp(`^${userIdCharacter}{0,128}$`);
/** The characters of a user id, for people. */
export const userIdCharacters = "A-Z a-z 0-9 - . _ ~ ! $ & ' ( ) * + , ; = : @ |";
export const appIdPattern = /^[a-z][a-z0-9-]{1,39}$/;
export const roleNamePattern = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;
/** A root version, from which keys are derived. */
export const rootVersionSchema = v.pipe(
  v.string('must be a string'),
  v.regex(/^k[1-9]\d{0,3}$/, 'must be a root version such as k1; key ids begin with it: svk_k1_…'),
);
/** `svs_` and 32 bytes in base64url. */
export const secretPattern = /^svs_[\w-]{43}$/;

/** A user of any application. */
export const userIdSchema = v.pipe(
  v.string('must be a string'),
  v.regex(userIdPattern, `must be 1 to 128 of ${userIdCharacters} and not . or ..`),
  v.brand('UserId'),
);
export type UserId = v.InferOutput<typeof userIdSchema>;

/** Whether a text is a user id. */
export function isUserId(text: string): text is UserId {
  return v.is(userIdSchema, text);
}

export const appIdSchema = v.pipe(
  v.string('must be a string'),
  v.regex(appIdPattern, 'must be 2–40 lower-case letters, digits or hyphens, starting with a letter'),
  v.brand('AppId'),
);
export type AppId = v.InferOutput<typeof appIdSchema>;

/** Case-sensitive; the same name in two applications is two roles. */
export const roleNameSchema = v.pipe(
  v.string('must be a string'),
  v.regex(roleNamePattern, 'must be 1–64 letters, digits or . _ : - characters, starting with a letter'),
  v.brand('RoleName'),
);
export type RoleName = v.InferOutput<typeof roleNameSchema>;

/** Any text: a key id is looked up among the keys of its application, so one that is malformed is not found. */
export const keyIdSchema = v.pipe(v.string(), v.brand('KeyId'));
export type KeyId = v.InferOutput<typeof keyIdSchema>;

/** The ULID of a change. */
export const changeIdSchema = v.pipe(
  v.string(),
  v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of a change'),
);

/** A ULID, made by who sends the bulk: tells one from another, and when it began. */
export const bulkIdSchema = v.pipe(
  v.string('must be a string'),
  v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID'),
  v.brand('BulkId'),
);
export type BulkId = v.InferOutput<typeof bulkIdSchema>;

/** The schema of each path parameter, by its name in the path template. */
export const pathSchemas = {
  userId: userIdSchema,
  appId: appIdSchema,
  role: roleNameSchema,
  keyId: keyIdSchema,
  bulkId: bulkIdSchema,
  changeId: changeIdSchema,
} as const;

/** What an operation takes, as far as its schemas say so. */
interface Input {
  readonly method: string;
  readonly path: string;
  readonly query?: v.GenericSchema;
  readonly body?: v.GenericSchema;
}

/** The schema of each part of what an operation takes. */
export function inputSchemas({ method, path, query, body }: Input) {
  return { path: pathSchema(path), query: query ?? noQuery, body: body ?? noBody(method) };
}

const noQuery = v.strictObject({});

function noBody(method: string) {
  return v.undefined(method === 'GET' ? 'must be left out: a GET takes no body' : 'must be left out');
}

function pathSchema(path: string) {
  const known: Readonly<Record<string, v.GenericSchema>> = pathSchemas;
  const entries = pathNames({ path }).map((name) => {
    const schema = known[name];
    if (schema === undefined) throw new Error(`The path parameter ${name} has no schema`);
    return [name, schema] as const;
  });
  return v.object(Object.fromEntries(entries));
}

/** The names of the parameters in an operation's path. */
export function pathNames({ path }: Pick<Input, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Where a field stands: `#/a/b` in the body (RFC 6901), or `path:a`, `query:a` and `header:a` beside it. */
export type Place = '#' | 'path:' | 'query:';

/** The issues that a schema found, each with the place of its field. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[] | undefined, place: Place) {
  return (issues ?? []).map((issue) => ({
    pointer: pointerTo(
      place,
      (issue.path ?? []).map(({ key }) => String(key)),
    ),
    detail: detailOf(issue),
  }));
}

/** The pointer to a field by the keys that lead to it. */
export function pointerTo(place: Place, keys: readonly string[]): string {
  const tokens = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'));
  return place === '#' ? ['#', ...tokens].join('/') : place + tokens.join('/');
}

function detailOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.received === 'undefined' ? 'is required' : issue.message;
  if (issue.expected === 'never') return 'unknown field';
  return issue.path === undefined ? 'must be a JSON object' : 'is required';
}

/** What each path parameter means. */
export const pathDescriptions: Readonly<Record<keyof typeof pathSchemas, string>> = {
  appId: 'The application.',
  userId: 'The user. Percent-encode all but letters, digits and `-._~`.',
  role: 'The role, by its name in the application.',
  keyId: 'The API key.',
  bulkId: 'The bulk, by the id that its requests had.',
  changeId: 'The change, by its `id`.',
};

const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** An RFC 3339 date-time with its offset, kept as `YYYY-MM-DDTHH:mm:ss.sssZ`, so that text order is time order. */
export const timestampSchema = v.pipe(
  v.string('must be a string'),
  v.check(isDateTime, 'must be an RFC 3339 date-time with an offset, such as 2027-01-31T12:00:00Z'),
  v.metadata({ format: 'date-time' }),
  v.transform((text) => new Date(text).toISOString()),
);

function isDateTime(text: string): boolean {
  const [, year, month, day] = dateTime.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  // Date turns 30 February into 2 March; a day that does not exist is refused instead.
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= daysInMonth && !Number.isNaN(Date.parse(text));
}

/** The latest end of a block or a grant. */
export const maxYearsAhead = 5;

const duration = /^P(?=\d|T\d)(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/** A duration of days, hours, minutes and seconds (RFC 3339 appendix A), such as `P1DT12H`, read as seconds. */
export const durationSchema = v.pipe(
  v.string('must be a string'),
  v.regex(duration, 'must be a duration such as PT24H or P7D'),
  v.metadata({ format: 'duration' }),
  v.transform(toSeconds),
);

function toSeconds(text: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = duration.exec(text)?.map((part) => Number(part ?? 0)) ?? [];
  return days * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** Counts the changes of an item; 0 before the first. Also the ETag. */
export const versionSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Bodies over this many bytes are refused. */
export const maxBodyBytes = 16 * 1024;

/** The type of a schema, without the schema. */
export interface AnswerType<Schema> {
  readonly schema?: Schema;
}

/** What an operation answers, as a type alone: bundles of functions leave out the schemas of answers. */
export function answers<Schema>(): AnswerType<Schema> {
  return {};
}

/** Characters of a reason. */
export const maxReasonLength = 256;

/**
 * NUL, which many programs take for the end of a text, and the directional embeddings and overrides of UAX #9, which show a
 * text in another order than it is stored in. Its isolates, which message formatters write, are allowed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is refused
const misleading = /[\u0000\u202A-\u202E]/;

/** Text for people, of 1 to so many characters, without unpaired surrogates, which DynamoDB cannot store. */
// @__NO_SIDE_EFFECTS__
export function textSchema(maxLength: number) {
  return v.pipe(
    v.string('must be a string'),
    v.minLength(1, 'must not be empty; leave it out instead'),
    v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    v.check((text) => !misleading.test(text), 'must not hold NUL or bidirectional overrides'),
    v.check((text) => [...text].length <= maxLength, `must be at most ${maxLength} characters`),
    // JSON Schema counts as this does (2020-12 validation, section 6.3.1).
    v.metadata({ maxLength }),
  );
}

/** Items of a page, unless `?limit=` says otherwise, and the most that it may say. */
const defaultPageSize = 25;
export const maxPageSize = 100;

/** The number of items that a page has at most, as a query parameter. */
// @__NO_SIDE_EFFECTS__
export function limitSchema({ byDefault, most }: { readonly byDefault: number; readonly most: number }) {
  return v.optional(
    v.pipe(
      v.string(),
      v.check((text) => /^\d{1,4}$/.test(text), `must be a whole number from 1 to ${most}`),
      v.metadata({ type: 'integer', minimum: 1, maximum: most }),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(most, `must be at most ${most}`),
    ),
    String(byDefault),
  );
}

/** The query parameters of every list. */
export const pageQuery = {
  limit: limitSchema({ byDefault: defaultPageSize, most: maxPageSize }),
  /** Of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
};

/** The query of a list without further parameters. */
export const pageQuerySchema = v.strictObject(pageQuery);

/** The query of the deletions that are refused while something is in use. */
export const forceQuerySchema = v.strictObject({
  force: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
});

/** The query of the writes that can be asked what they would do. */
export const dryRunQuerySchema = v.strictObject({
  dryRun: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
});

/* @__PURE__ */ describeMembers(() => pathSchemas, {
  appId: 'The application. In the Service API it is always that of the API key.',
  userId: 'The user, by the id that your applications share.',
  role: 'The role, by its name in the application; upper and lower case differ.',
  keyId: 'The API key. Not secret.',
});
/* @__PURE__ */ describeMembers(() => pageQuery, {
  limit: 'How many items a page has at most.',
  cursor: 'The `cursor` of the previous page, unchanged.',
});
/* @__PURE__ */ describeMembers(() => forceQuerySchema.entries, {
  force: 'Whether it is deleted also while it is in use.',
});
/* @__PURE__ */ describeMembers(() => dryRunQuerySchema.entries, {
  dryRun:
    'Whether to validate and decide, but write nothing. The answer or the refusal is the one that the request would have now; a new id in it names nothing.',
});
