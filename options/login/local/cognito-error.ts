import * as v from 'valibot';

/** The errors with which Cognito refuses these calls. */
export type CognitoErrorType =
  | 'AliasExistsException'
  | 'InvalidParameterException'
  | 'LimitExceededException'
  | 'ManagedLoginBrandingExistsException'
  | 'ResourceNotFoundException'
  | 'UnknownOperationException'
  | 'UnsupportedUserStateException'
  | 'UsernameExistsException'
  | 'UserNotFoundException';

/** An error that Cognito answers with status 400 and its type. */
export class CognitoError extends Error {
  readonly type: CognitoErrorType;

  constructor(type: CognitoErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

/** Reads the input of a call; what does not match is an InvalidParameterException that names the member. */
export function readInput<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, input);
  if (success) return output;
  const [issue] = issues;
  throw invalid(`${v.getDotPath(issue) ?? 'The input'}: ${issue.message}`);
}

/** A parameter that Cognito refuses. */
export function invalid(message: string): CognitoError {
  return new CognitoError('InvalidParameterException', message);
}

/** A page of a list, and the token of the next one: the position at which it begins. */
export function pageOf<Item>(items: readonly Item[], { limit, token }: { limit: number; token?: string | undefined }) {
  const start = Number(token ?? 0);
  if (!Number.isInteger(start) || start < 0) throw invalid('Invalid pagination token given.');
  const end = start + limit;
  return { page: items.slice(start, end), next: end < items.length ? String(end) : undefined };
}
