import * as v from 'valibot';
import { localArn, parse, userPoolArn } from '../template-resources.ts';
import type { Authorization } from './authorization.ts';

const generateMacSchema = v.object({ KeyId: v.pipe(v.string(), v.startsWith('arn:')), MacAlgorithm: v.string() });

/** Lists the permission for KMS GenerateMac (AWS KMS developer guide, "AWS KMS condition keys"). */
export function generateMacAuthorizations(json: unknown): Authorization[] {
  const { KeyId, MacAlgorithm } = parse(generateMacSchema, json, 'GenerateMac');
  return [{ action: 'kms:GenerateMac', resource: KeyId, context: { 'kms:MacAlgorithm': MacAlgorithm } }];
}

const signSchema = v.object({
  KeyId: v.pipe(v.string(), v.startsWith('arn:')),
  SigningAlgorithm: v.string(),
  MessageType: v.optional(v.string()),
});

/** Lists the permission for KMS Sign. */
export function signAuthorizations(json: unknown): Authorization[] {
  const { KeyId, SigningAlgorithm, MessageType } = parse(signSchema, json, 'Sign');
  const context = { 'kms:SigningAlgorithm': SigningAlgorithm, 'kms:MessageType': MessageType };
  return [{ action: 'kms:Sign', resource: KeyId, context }];
}

/** Lists the permission for KMS GetPublicKey. */
export function publicKeyAuthorizations(json: unknown): Authorization[] {
  const { KeyId } = parse(v.object({ KeyId: v.pipe(v.string(), v.startsWith('arn:')) }), json, 'GetPublicKey');
  return [{ action: 'kms:GetPublicKey', resource: KeyId, context: {} }];
}

/**
 * Lists the permission for S3 PutObject, at the path of its bucket and object.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
export function putObjectAuthorizations(path: string, ifNoneMatch: string | undefined): Authorization[] {
  const context = { 's3:if-none-match': ifNoneMatch };
  return [{ action: 's3:PutObject', resource: `arn:aws:s3:::${path.slice(1)}`, context }];
}

const putEventsSchema = v.object({ Entries: v.array(v.object({ EventBusName: v.string() })) });

/** Lists the permissions for EventBridge PutEvents, one for each bus that its entries name. */
export function putEventsAuthorizations(json: unknown): Authorization[] {
  const { Entries } = parse(putEventsSchema, json, 'PutEvents');
  const names = new Set(Entries.map(({ EventBusName }) => EventBusName));
  return [...names].map((name) => ({
    action: 'events:PutEvents',
    resource: localArn('events', `event-bus/${name}`),
    context: {},
  }));
}

/** Lists the permission for Lambda Invoke, of the function that its path names. */
export function invokeAuthorizations(path: string): Authorization[] {
  return [{ action: 'lambda:InvokeFunction', resource: invokedArn(path), context: {} }];
}

/** Returns the ARN in the path of Lambda's Invoke. */
export function invokedArn(path: string): string {
  const [, arn] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
  if (arn === undefined) throw new Error(`The permissions of Lambda's ${path} are unknown.`);
  return decodeURIComponent(arn);
}

const parameterSchema = v.object({ Name: v.string() });

/** Lists the permission for reading a parameter by its name. */
export function parameterAuthorizations(json: unknown): Authorization[] {
  const { Name } = parse(parameterSchema, json, 'GetParameter');
  return [{ action: 'ssm:GetParameter', resource: localArn('ssm', `parameter/${Name}`), context: {} }];
}

const userPoolSchema = v.object({ UserPoolId: v.string() });

/**
 * Lists the permission for an action of Amazon Cognito on a user pool, its users and its app clients. The actions of users name no
 * pool, and no policy decides them.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncognitouserpools.html
 */
export function userPoolAuthorizations(operation: string, json: unknown): Authorization[] {
  const { UserPoolId } = parse(userPoolSchema, json, operation);
  return [{ action: `cognito-idp:${operation}`, resource: userPoolArn(UserPoolId), context: {} }];
}

const releaseStatusSchema = v.object({ deploymentId: v.string() });

/** Lists the permission for the status that a hook reports to CodeDeploy. Locally a deployment has the id of its group. */
export function releaseStatusAuthorizations(operation: string, json: unknown, application: string): Authorization[] {
  const { deploymentId } = parse(releaseStatusSchema, json, operation);
  const resource = localArn('codedeploy', `deploymentgroup:${application}/${deploymentId}`);
  return [{ action: `codedeploy:${operation}`, resource, context: {} }];
}
