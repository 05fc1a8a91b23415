import {
  Annotations,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  PERMISSIONS_BOUNDARY_CONTEXT_KEY,
  type Stack,
  type StackProps,
} from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { AccountSettings } from '../settings/account-settings.ts';
import { boundaryName } from './permissions-boundary.ts';
import { fillIn } from './policy-document.ts';

/** How a stack is deployed: to the stage's account, through its bootstrap. */
export function bootstrapProps(
  { account, bootstrapQualifier: qualifier }: AccountSettings,
  region: string | undefined,
): StackProps {
  return {
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    ...(qualifier !== undefined && { synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer }),
    env: { ...(account !== undefined && { account }), ...(region !== undefined && { region }) },
  };
}

/**
 * With a bootstrap of `npm run bootstrap`, gives every role of a stage's stack its permissions boundary, those that the CDK
 * creates included. With the account's own, the roles have the boundary that the CDK's context names, or none. Throws if both
 * would apply, because a role can have only one.
 */
export function boundRoles(stack: Stack, { bootstrap }: Pick<AccountSettings, 'bootstrap'>): void {
  if (bootstrap !== 'own') return;
  if (stack.node.tryGetContext(PERMISSIONS_BOUNDARY_CONTEXT_KEY) !== undefined) {
    throw new Error(
      `The context has ${PERMISSIONS_BOUNDARY_CONTEXT_KEY}, but with "bootstrap": "own" the roles already have the permissions boundary of npm run bootstrap, and a role can have only one. Remove the key, or deploy through the account's own bootstrap`,
    );
  }
  const qualifier = stack.synthesizer.bootstrapQualifier ?? '';
  const name = fillIn(boundaryName, {
    Qualifier: qualifier,
    'AWS::AccountId': stack.account,
    'AWS::Region': stack.region,
  });
  const arn = stack.formatArn({ service: 'iam', region: '', resource: 'policy', resourceName: name });
  PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', arn));
  Annotations.of(stack).addInfoV2(
    'auth-service:bootstrap',
    `${stack.stackName} is deployed through the bootstrap ${qualifier} of "bootstrap": "own". If it is missing, create it with npm run bootstrap, not with cdk bootstrap.`,
  );
}
