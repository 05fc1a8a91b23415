import { DefaultStackSynthesizer, type IStackSynthesizer, type Stack, type StackProps } from 'aws-cdk-lib';
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

/** Gives every role of a stack, those that the CDK creates included, the permissions boundary of its bootstrap. */
export function boundRoles(stack: Stack): void {
  const name = fillIn(boundaryName, {
    Qualifier: stack.synthesizer.bootstrapQualifier ?? '',
    'AWS::AccountId': stack.account,
    'AWS::Region': stack.region,
  });
  const arn = stack.formatArn({ service: 'iam', region: '', resource: 'policy', resourceName: name });
  PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', arn));
}
