import type * as v from 'valibot';
import type { Answer, DeepReadonly } from './answers.ts';
import type { ErrorCode } from './error-codes.ts';
import type { AnswerType, pathSchemas } from './fields.ts';
import type { OperatorRole } from './operator-role.ts';

/** The scopes; every key has a set of them. */
export const scopes = ['access:read', 'access:write', 'roles:write', 'webhooks:write'] as const;
export type Scope = (typeof scopes)[number];

/** The kinds of connections, each with the scopes that its keys can have. */
export const connectionKinds = {
  evaluate: ['access:read', 'roles:read'],
  scim: ['users:write', 'roles:write'],
} as const;
export type ConnectionKind = keyof typeof connectionKinds;
export type ConnectionScope = (typeof connectionKinds)[ConnectionKind][number];

/** The scope that an operator's access token needs for the Management API at the HTTP API. */
export const manageScope = 'auth-service/manage';

/**
 * One operation, described once. From it derive the route, validation with pointers to wrong fields, the enforced scope or role,
 * the success status, the permissions, settings and alarms of its function, the check of a release, the types of the
 * Management client and of the SDK, and OpenAPI with its tables. The file `-documents.ts` beside each file of records
 * has the texts for people, which no function's bundle contains.
 */
export interface Operation {
  /** The OpenAPI operation and, for the Service API, the file in `functions/`. */
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Path template in the notation that API Gateway and OpenAPI share; its parameters are those of `pathSchemas`. */
  readonly path: `/api/${string}`;
  /** Default: no query. */
  readonly query?: v.StrictObjectSchema<v.ObjectEntries, undefined>;
  /** Default: no body. */
  readonly body?: v.GenericSchema;
  /** The type of the answer's schema; the schema itself is in the documentation, because no function needs it. */
  readonly answer: AnswerType<v.GenericSchema<object>>;
  /** The success statuses. Default: only 200. The example has the first one. */
  readonly statuses?: readonly [SuccessStatus, ...SuccessStatus[]];
  /** Whether it honours `If-Match` (RFC 9110 section 13.1.1). */
  readonly ifMatch?: true;
  /** The codes with which it refuses, in addition to those that follow from the rest of the record. */
  readonly errors: readonly ErrorCode[];
}
export type SuccessStatus = 200 | 201 | 202;

/** An operation of the Service API, for the backends of applications, which sign with an API key. */
export interface ServiceOperation extends Operation {
  readonly path: `/api/service/${string}`;
  /** The scope that the API key needs. */
  readonly scope: Scope;
  /** Whether the operation changes the table, which uses up the request's nonce. */
  readonly writes: boolean;
}

/** An operation of the Management API, for operators and their tools. */
export interface ManageOperation extends Operation {
  readonly path: `/api/manage/${string}`;
  /** The minimum role of an operator who may call it; for the application in its path, if there is one. */
  readonly role: OperatorRole;
  /**
   * Whether a role that is limited to applications is enough if the path contains none: for the whole answer, for the part of it
   * that concerns those applications, or for the application that the body names in `appId`. Default: it is not.
   */
  readonly forLimited?: 'whole' | 'narrowed' | 'named';
}

/** The operations that an option adds, by their names. */
export interface OptionOperations {
  readonly service: Readonly<Record<string, ServiceOperation>>;
  readonly manage: Readonly<Record<string, ManageOperation>>;
  /** For each of the Service API a valid request, with which a new version of its function is tried. */
  readonly trials: Readonly<Record<string, object>>;
}

/** The names in braces of a path. */
export type PathParameter<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** What a client sends. A part that the operation does not accept cannot be passed. */
export type OperationRequest<Described extends Operation> = Part<'path', PathInput<Described>> &
  Part<'query', QueryInput<Described>> &
  Part<'body', BodyInput<Described>>;

export type PathInput<Described extends Operation> = [PathParameter<Described['path']>] extends [never]
  ? never
  : { readonly [Name in PathParameter<Described['path']>]: string };

/** A number or boolean may be passed where the text represents one. */
export type QueryInput<Described extends Operation> = Described extends { query: infer Query extends v.GenericSchema }
  ? QueryValues<v.InferInput<Query>, v.InferOutput<Query>>
  : never;
type QueryValues<Texts, Parsed> = {
  readonly [Name in keyof Texts]:
    | Texts[Name]
    | (Name extends keyof Parsed ? Extract<Parsed[Name], number> : never)
    | (Exclude<Texts[Name], undefined> extends 'true' | 'false' ? boolean : never)
    | undefined;
};

export type BodyInput<Described extends Operation> = Described extends { body: infer Body extends v.GenericSchema }
  ? DeepReadonly<v.InferInput<Body>>
  : never;

export type AnswerSchemaOf<Described extends Operation> = NonNullable<Described['answer']['schema']>;
export type AnswerOf<Described extends Operation> = Answer<AnswerSchemaOf<Described>>;

type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [Part in Name]?: never }
  : undefined extends Value
    ? { readonly [Part in Name]?: Value }
    : Record<never, never> extends Value
      ? { readonly [Part in Name]?: Value }
      : { readonly [Part in Name]: Value };

/** The input of an operation's implementation: every part parsed. */
export interface ParsedInput<Described extends Operation> {
  readonly path: { readonly [Name in PathParameter<Described['path']>]: ParsedPath<Name> };
  readonly query: Described extends { query: infer Query extends v.GenericSchema }
    ? v.InferOutput<Query>
    : Record<never, never>;
  readonly body: Described extends { body: infer Body extends v.GenericSchema } ? v.InferOutput<Body> : undefined;
  /** The versions that the caller expects (`If-Match`); undefined for any. */
  readonly ifMatch: readonly number[] | undefined;
}
type ParsedPath<Name> = Name extends keyof typeof pathSchemas ? v.InferOutput<(typeof pathSchemas)[Name]> : never;
