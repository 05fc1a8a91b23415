import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * How a release is deployed: `canary` sends it a tenth of the requests for five minutes first; `at-once` sends it all of
 * them and ignores alarms, for a fix of the problem that an alarm reports.
 */
export type Release = 'canary' | 'at-once';

/** An alias with the alarms that roll its release back; while one is firing, the next release is refused too. */
export interface ReleasedFunction {
  readonly alias: Alias;
  readonly alarms: readonly Alarm[];
}

export interface CanaryReleaseProps {
  readonly release: Release;
  readonly functions: readonly ReleasedFunction[];
}

/** Lets CodeDeploy move each alias to the new version of its function, and roll it back if an alarm fires. */
export class CanaryRelease extends Construct {
  constructor(scope: Construct, id: string, { release, functions }: CanaryReleaseProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // Without policy updates, because the group would add its managed policy, which covers every function of the account.
    const role = this.#createRole(functions.map(({ alias }) => alias)).withoutPolicyUpdates();
    for (const { alias, alarms } of functions) {
      const strategy =
        release === 'canary'
          ? { deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES, alarms: [...alarms] }
          : { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE };
      new LambdaDeploymentGroup(this, alias.node.scope?.node.id ?? alias.node.id, {
        application,
        role,
        alias,
        ...strategy,
      });
    }
  }

  /** The permissions of the managed policy AWSCodeDeployRoleForLambdaLimited, for the functions of this stack only. */
  #createRole(aliases: readonly Alias[]): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: aliases.flatMap(({ functionArn, lambda }) => [lambda.functionArn, functionArn]),
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy reads the state of alarms by a list of names, as its managed policy allows.',
    });
    return role;
  }
}
