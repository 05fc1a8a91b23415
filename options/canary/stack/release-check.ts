import { Aws, Stack } from 'aws-cdk-lib';
import type { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceApi } from '#lib/api/service-api.ts';
import { EndpointFunction } from '#lib/functions/endpoint-function.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { checkedFunctions } from '../version-checks.ts';
import type { SignedCanary } from './signed-canary.ts';

export interface ReleaseCheckProps {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  /** Its key, application and user serve the check too. */
  readonly canary: SignedCanary;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
}

/**
 * Calls the new version of every released function before it gets traffic. Who may invoke `manage` can claim to be any
 * operator, so this is a separate function: nothing but CodeDeploy invokes it, and it reads only answers of the versions.
 */
export class ReleaseCheck extends Construct {
  readonly function: EndpointFunction;
  /** The session as which it calls the Management API, as an ARN that `iamRoles` could name. */
  readonly operatorArn: string;

  constructor(scope: Construct, id: string, { stage, serviceApi, canary, changeRetentionDays }: ReleaseCheckProps) {
    super(scope, id);
    this.function = new EndpointFunction(this, 'Check', {
      name: 'check-release',
      stage,
      isReleased: false,
      environment: {
        API_URL: serviceApi.url,
        KEY_FUNCTION: canary.keyFunction.function.functionArn,
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
      },
      memorySizeMb: 512,
      // It repeats a failed check for four minutes, and the last may wait for versions that do not answer.
      timeoutSeconds: 600,
    });
    this.operatorArn = `arn:${Aws.PARTITION}:sts::${Aws.ACCOUNT_ID}:assumed-role/${this.function.role.roleName}`;
    this.function.function.addEnvironment('OPERATOR_ARN', `${this.operatorArn}/check-release`);
    this.function.letInvoke(canary.keyFunction.function);
  }

  /** Lets it call the new versions of these functions, and report the results to CodeDeploy. */
  checkVersions(functions: readonly EndpointFunction[], groups: readonly LambdaDeploymentGroup[]): void {
    const unchecked = functions.filter(({ name }) => !checkedFunctions.includes(name));
    if (unchecked.length > 0) {
      const names = unchecked.map(({ name }) => name).join(', ');
      throw new Error(`Releases do not check ${names}: add a check to options/canary/version-checks.ts`);
    }
    const versions = functions.map(({ name, function: fn }) => [name, fn.currentVersion] as const);
    this.function.letInvoke(...versions.map(([, version]) => version));
    const arns = Object.fromEntries(versions.map(([name, { functionArn }]) => [name, functionArn]));
    this.function.function.addEnvironment('VERSIONS', Stack.of(this).toJsonString(arns));
    const answering = new PolicyStatement({
      actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      resources: groups.map(({ deploymentGroupArn }) => deploymentGroupArn),
    });
    // A separate policy, because the function depends on the role's own one, and the groups depend on the function.
    const policy = new Policy(this, 'Answer', { roles: [this.function.role], statements: [answering] });
    // An alias that moved before the function has the new variables would be checked with the previous versions.
    for (const { alias } of functions) alias?.node.addDependency(policy, this.function.function);
  }
}
