import * as v from 'valibot';
import { localArn, parse } from '../template-resources.ts';
import type { Authorization } from './authorization.ts';

const generateMacSchema = v.object({ KeyId: v.pipe(v.string(), v.startsWith('arn:')), MacAlgorithm: v.string() });

/** Lists the permission for KMS GenerateMac (AWS KMS developer guide, "AWS KMS condition keys"). */
export function generateMacAuthorizations(json: unknown): Authorization[] {
  const { KeyId, MacAlgorithm } = parse(generateMacSchema, json, 'GenerateMac');
  return [{ action: 'kms:GenerateMac', resource: KeyId, context: { 'kms:MacAlgorithm': MacAlgorithm } }];
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

const releaseStatusSchema = v.object({ deploymentId: v.string() });

/** Lists the permission for the status that a hook reports to CodeDeploy. Locally a deployment has the id of its group. */
export function releaseStatusAuthorizations(operation: string, json: unknown, application: string): Authorization[] {
  const { deploymentId } = parse(releaseStatusSchema, json, operation);
  const resource = localArn('codedeploy', `deploymentgroup:${application}/${deploymentId}`);
  return [{ action: `codedeploy:${operation}`, resource, context: {} }];
}
