/**
 * The supported condition keys, and whether a request can have several values for them (Service Authorization
 * Reference). A policy with any other key cannot be evaluated: its value would count as absent, which some operators
 * allow.
 */
export const conditionKeys = {
  'aws:PrincipalArn': 'one',
  'aws:SecureTransport': 'one',
  'aws:SourceArn': 'one',
  'dynamodb:Attributes': 'several',
  'dynamodb:EnclosingOperation': 'one',
  'dynamodb:LeadingKeys': 'several',
  'dynamodb:ReturnConsumedCapacity': 'one',
  'dynamodb:ReturnValues': 'one',
  'dynamodb:Select': 'one',
  'iam:AWSServiceName': 'one',
  'aws:ResourceTag/service': 'one',
  'iam:PassedToService': 'one',
  'iam:PermissionsBoundary': 'one',
  'iam:PolicyARN': 'one',
  'kms:MacAlgorithm': 'one',
  'kms:MessageType': 'one',
  'kms:ReplicaRegion': 'one',
  'kms:SigningAlgorithm': 'one',
  'lambda:SourceFunctionArn': 'one',
  's3:if-none-match': 'one',
} as const satisfies Readonly<Record<string, 'one' | 'several'>>;

export type ConditionKey = keyof typeof conditionKeys;

/** The request context by condition key; a key without a value is absent. */
export type RequestContext = { readonly [Key in ConditionKey]?: string | readonly string[] | undefined };

/** One permission that a request needs; IAM decides each separately. */
export interface Authorization {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** The ARN; `*` for an action without resources. */
  readonly resource: string;
  readonly context: RequestContext;
}
