import { functionArn } from '../template-resources.ts';
import type { Authorization, RequestContext } from './authorization.ts';
import { dynamodbAuthorizations } from './dynamodb-authorizations.ts';
import { type Decision, decide, type Policies } from './policy-decision.ts';
import type { FunctionPolicies } from './read-policies.ts';
import {
  generateMacAuthorizations,
  invokeAuthorizations,
  parameterAuthorizations,
  publicKeyAuthorizations,
  putEventsAuthorizations,
  putObjectAuthorizations,
  releaseStatusAuthorizations,
  signAuthorizations,
  userPoolAuthorizations,
} from './service-authorizations.ts';
import { compileDocuments, type Statement } from './statements.ts';

/** A call of an AWS API. */
export interface AwsCall {
  /** The name that the signature is for, such as `dynamodb`. */
  readonly service: string;
  /** Such as `PutItem`; for an API without `x-amz-target`, the method of HTTP. */
  readonly operation: string;
  readonly path: string;
  /** The header `If-None-Match`, which S3 has a condition key for. */
  readonly ifNoneMatch?: string | undefined;
  readonly body: string;
}

/** A permission that a call needs, and the decision of the policies. */
export interface DecidedAuthorization {
  readonly authorization: Authorization;
  readonly decision: Decision;
}

/** The response with which AWS refuses a call. */
export interface Refusal {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Decides the calls of one function by the policies of its role and of the resources. */
export interface CallGuard {
  /** Throws for a call whose permissions are unknown. */
  decide(call: AwsCall): DecidedAuthorization[];
  /** Returns undefined if everything is allowed. */
  refusal(decided: readonly DecidedAuthorization[]): Refusal | undefined;
}

/** Compiles the policies of a function; throws a LocalError that names what cannot be evaluated. */
export function createCallGuard(policies: FunctionPolicies): CallGuard {
  const { functionId, role } = policies;
  const identity = compileDocuments('identity', policies.identity);
  const boundary = policies.boundary && compileDocuments('identity', [policies.boundary]);
  const resources = new Map(
    policies.resources.map(([arn, documents]) => [arn, compileDocuments('resource', documents)]),
  );
  const caller: RequestContext = {
    'aws:PrincipalArn': role,
    'aws:SecureTransport': 'true',
    'lambda:SourceFunctionArn': functionArn(functionId),
  };
  const policiesFor = (arn: string): Policies => ({ identity, boundary, resource: resources.get(arn) });
  return {
    decide: (call) =>
      authorizationsOf(call, policies).map((needed) => {
        const authorization = { ...needed, context: { ...caller, ...needed.context } };
        return { authorization, decision: decide(authorization, role, policiesFor(needed.resource)) };
      }),
    refusal: (decided) => {
      const denied = decided.find(({ decision }) => decision !== 'allowed');
      if (denied === undefined) return undefined;
      const { action, resource } = denied.authorization;
      const reason = reasonOf(denied, role, policiesFor(resource));
      const Message = `User: ${sessionArn(role, functionId)} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
      return refusalWith(action, Message);
    },
  };
}

/**
 * AWS's JSON protocols name the error in the body and answer 400, in version 1.0 with its namespace; Lambda's REST
 * protocol names it in a header, and S3's answers XML.
 * https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html#operation-error-serialization
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
 */
function refusalWith(action: string, Message: string): Refusal {
  const code = 'AccessDeniedException';
  if (action.startsWith('lambda:')) {
    const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
    return { statusCode: 403, headers, body: JSON.stringify({ Message }) };
  }
  if (action.startsWith('s3:')) {
    const body = `<Error><Code>AccessDenied</Code><Message>${Message}</Message></Error>`;
    return { statusCode: 403, headers: { 'content-type': 'application/xml' }, body };
  }
  const isVersion0 = action.startsWith('dynamodb:');
  const __type = isVersion0 ? `com.amazon.coral.service#${code}` : code;
  const headers = { 'content-type': `application/x-amz-json-1.${isVersion0 ? 0 : 1}` };
  return { statusCode: 400, headers, body: JSON.stringify({ __type, Message }) };
}

function authorizationsOf(call: AwsCall, { table, releases }: FunctionPolicies): Authorization[] {
  const { service, operation, path, ifNoneMatch, body } = call;
  if (service === 'lambda') return invokeAuthorizations(path);
  if (service === 's3' && operation === 'PUT') return putObjectAuthorizations(path, ifNoneMatch);
  const json: unknown = JSON.parse(body);
  if (service === 'dynamodb') return dynamodbAuthorizations(operation, json, table);
  if (service === 'cognito-idp') return userPoolAuthorizations(operation, json);
  const known = single[`${service} ${operation}`];
  if (known !== undefined) return known(json);
  if (service === 'codedeploy' && releases !== undefined) return releaseStatusAuthorizations(operation, json, releases);
  throw new Error(`The permissions of ${service} ${operation} are unknown.`);
}

/** The operations that need one permission. */
const single: Readonly<Record<string, (json: unknown) => Authorization[]>> = {
  'kms GenerateMac': generateMacAuthorizations,
  'kms Sign': signAuthorizations,
  'kms GetPublicKey': publicKeyAuthorizations,
  'events PutEvents': putEventsAuthorizations,
  'ssm GetParameter': parameterAuthorizations,
};

/** Lambda's session is named after the function (Lambda developer guide, "Defining permissions with an execution role"). */
function sessionArn(role: string, functionId: string): string {
  return `${role.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${functionId}`;
}

/**
 * The end of the message, which names the type of the policy.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
 */
function reasonOf({ authorization, decision }: DecidedAuthorization, role: string, policies: Policies): string {
  const { identity, boundary = [], resource } = policies;
  const denies = (statements: readonly Statement[]) =>
    statements.some((statement) => statement.effect === 'Deny' && statement.applies(authorization, role));
  if (decision === 'explicitly denied') {
    const ofIdentity = denies(boundary) ? 'a permissions boundary' : 'a resource-based policy';
    return `with an explicit deny in ${denies(identity) ? 'an identity-based policy' : ofIdentity}`;
  }
  const { action } = authorization;
  if (decide(authorization, role, { identity, resource }) === 'allowed') {
    return `because no permissions boundary allows the ${action} action`;
  }
  // If the role's policies allow it, the policy of the key does not leave the decision to them.
  const isAllowed = identity.some((statement) => statement.applies(authorization, role));
  return `because no ${isAllowed ? 'resource' : 'identity'}-based policy allows the ${action} action`;
}
