import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias, IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Release } from '../settings/settings.ts';

/** An alias with the alarms that roll its release back; while one is firing, the next release is refused too. */
export interface ReleasedFunction {
  readonly alias: Alias;
  readonly alarms: readonly Alarm[];
}

export interface CanaryReleaseProps {
  readonly release: Release;
  readonly functions: readonly ReleasedFunction[];
  /** Checks the new versions before their first request. Default: nothing does. */
  readonly check?: IFunction | undefined;
}

/**
 * The aliases in a managed policy, which has 6,144 characters at most: each takes 255 with the longest names. The 10,240 characters
 * of a role's inline policies are enough for 39.
 */
const aliasesPerPolicy = 20;

/** Lets CodeDeploy move each alias to the new version of its function, and roll it back if an alarm fires. */
export class CanaryRelease extends Construct {
  /** All its deployment groups release functions of the stack. */
  readonly application: LambdaApplication;

  constructor(scope: Construct, id: string, { release, functions, check }: CanaryReleaseProps) {
    super(scope, id);
    this.application = new LambdaApplication(this, 'Application');
    // Without policy updates, because the group would add its managed policy, which covers every function of the account.
    const role = this.#createRole(functions.map(({ alias }) => alias));
    const invoking = check && this.#allowInvoke(role, check);
    for (const { alias, alarms } of functions) {
      const strategy =
        release === 'canary'
          ? { deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES, alarms: [...alarms] }
          : { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE };
      const group = new LambdaDeploymentGroup(this, alias.node.scope?.node.id ?? alias.node.id, {
        application: this.application,
        role: role.withoutPolicyUpdates(),
        alias,
        ...strategy,
      });
      if (check !== undefined) addCheck(alias, group, check);
      if (invoking !== undefined) group.node.addDependency(invoking);
    }
  }

  #allowMoving(role: Role, aliases: readonly Alias[], id: string): void {
    const statement = new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resources: aliases.flatMap(({ functionArn, lambda }) => [lambda.functionArn, functionArn]),
    });
    const description = 'May move aliases of the stack to other versions';
    new ManagedPolicy(this, id, { description, roles: [role], statements: [statement] });
  }

  /** A separate policy that the groups can depend on: the others name the aliases, which depend on the groups. */
  #allowInvoke(role: Role, { functionArn }: IFunction): Policy {
    const statements = [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] })];
    return new Policy(this, 'Check', { roles: [role], statements });
  }

  /** The permissions of the managed policy AWSCodeDeployRoleForLambdaLimited, for the functions of this stack only. */
  #createRole(aliases: readonly Alias[]): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    for (let at = 0; at < aliases.length; at += aliasesPerPolicy) {
      this.#allowMoving(role, aliases.slice(at, at + aliasesPerPolicy), `Aliases${at / aliasesPerPolicy + 1}`);
    }
    const policy = new Policy(this, 'Alarms', {
      roles: [role],
      statements: [new PolicyStatement({ sid: 'Alarms', actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] })],
    });
    Validations.of(policy).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Statement Alarms: CodeDeploy reads the state of alarms by a list of names, as its managed policy allows.',
    });
    return role;
  }
}

/**
 * Does what the group's `preHook` would, but adds no statement to the function's own policy, because the group depends on the
 * function.
 */
function addCheck(alias: Alias, group: LambdaDeploymentGroup, { functionName }: IFunction): void {
  const { cfnOptions } = alias.node.defaultChild as CfnAlias;
  cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: {
      applicationName: group.application.applicationName,
      deploymentGroupName: group.deploymentGroupName,
      beforeAllowTrafficHook: functionName,
    },
  };
}
