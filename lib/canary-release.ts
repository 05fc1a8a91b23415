import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * How a release reaches callers: `canary` gives it a tenth of the requests for five minutes first, `at-once` all of them
 * and looks at no alarm: for a mend that must not wait for the alarm that it ends.
 */
export type Release = 'canary' | 'at-once';

export interface CanaryReleaseProps {
  readonly release: Release;
  /** What stands for each function. */
  readonly aliases: readonly Alias[];
  /** Those that take a release back; one that is on already refuses the next. */
  readonly alarms: readonly Alarm[];
}

/** Has CodeDeploy turn each alias to its function's new version, and back again if an alarm begins meanwhile. */
export class CanaryRelease extends Construct {
  constructor(scope: Construct, id: string, { release, aliases, alarms }: CanaryReleaseProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // So that the group does not add its managed policy, which may update every function of the account.
    const role = this.#createRole(aliases).withoutPolicyUpdates();
    const how =
      release === 'canary'
        ? { deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES, alarms: [...alarms] }
        : { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE };
    for (const alias of aliases) {
      new LambdaDeploymentGroup(this, alias.node.scope?.node.id ?? alias.node.id, { application, role, alias, ...how });
    }
  }

  /** What CodeDeploy asks for, by the managed policy AWSCodeDeployRoleForLambdaLimited, and for our functions alone. */
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
      reason:
        'CodeDeploy asks for alarms by a list of names, as its managed policy lets it; it only reads their state.',
    });
    return role;
  }
}
