import { Aws, type CfnElement, Fn, Stack, Validations } from 'aws-cdk-lib';
import type { ILambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
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
  readonly #parameterName: string;

  constructor(scope: Construct, id: string, { stage, serviceApi, canary, changeRetentionDays }: ReleaseCheckProps) {
    super(scope, id);
    this.#parameterName = `${stage.stackName}-release-versions`;
    this.function = new EndpointFunction(this, 'Check', {
      name: 'check-release',
      stage,
      isReleased: false,
      environment: {
        API_URL: serviceApi.url,
        KEY_FUNCTION: canary.keyFunction.function.functionArn,
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
        VERSIONS_PARAMETER: this.#parameterName,
      },
      memorySizeMb: 512,
      // It repeats a failed check for four minutes, and the last may wait for versions that do not answer.
      timeoutSeconds: 600,
    });
    this.operatorArn = `arn:${Aws.PARTITION}:sts::${Aws.ACCOUNT_ID}:assumed-role/${this.function.role.roleName}`;
    this.function.function.addEnvironment('OPERATOR_ARN', `${this.operatorArn}/check-release`);
    this.function.letInvoke(canary.keyFunction.function);
    const resource = Stack.of(this).formatArn({
      service: 'ssm',
      resource: 'parameter',
      resourceName: this.#parameterName,
    });
    this.function.role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [resource] }));
  }

  /** Lets it call the new versions of these functions, and report the results to CodeDeploy. */
  checkVersions(functions: readonly EndpointFunction[], application: ILambdaApplication): void {
    const unchecked = functions.filter(({ name }) => !checkedFunctions.includes(name));
    if (unchecked.length > 0) {
      const names = unchecked.map(({ name }) => name).join(', ');
      throw new Error(`Releases do not check ${names}: add a check to options/canary/version-checks.ts`);
    }
    const parameter = this.#storeVersions(functions);
    const answering = new PolicyStatement({
      actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      resources: [`arn:${Aws.PARTITION}:${groupsOf(application.applicationName)}`],
    });
    // A separate policy: `manage` is given the name of the role, which therefore cannot name its version.
    const policy = new Policy(this, 'Answer', {
      roles: [this.function.role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: functions.map(({ function: fn }) => fn.currentVersion.functionArn),
        }),
        answering,
      ],
    });
    const id = Stack.of(this).getLogicalId(application.node.defaultChild as CfnElement);
    Validations.of(policy).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${groupsOf(`<${id}>`, '<AWS::Region>:<AWS::AccountId>')}]`,
      reason: 'All deployment groups of the application release functions of the stack, and ask this function.',
    });
    // An alias that moved before the parameter has the new versions would be checked with the previous ones.
    for (const { alias } of functions) alias?.node.addDependency(policy, parameter, this.function.function);
  }

  /** The end of each version's ARN: 90 characters for each function, of the 8 KB of a parameter. */
  #storeVersions(functions: readonly EndpointFunction[]): CfnParameter {
    const versions = functions.map(({ name, function: fn }) => {
      const parts = Fn.split(':', fn.currentVersion.functionArn);
      return [name, Fn.join(':', [Fn.select(6, parts), Fn.select(7, parts)])] as const;
    });
    return new CfnParameter(this, 'Versions', {
      name: this.#parameterName,
      description: 'The versions that the last release checked before their first request',
      type: 'String',
      tier: 'Intelligent-Tiering',
      value: Stack.of(this).toJsonString(Object.fromEntries(versions)),
    });
  }
}

/** Without the partition. Of all groups, because one ARN for each would take the room of the versions in the role's policies. */
function groupsOf(application: string, place = `${Aws.REGION}:${Aws.ACCOUNT_ID}`): string {
  return `codedeploy:${place}:deploymentgroup:${application}/*`;
}
