import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { documentationOf } from '#shared/contract/documentation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { ServiceApi } from '../api/service-api.ts';
import type { RootKey } from '../data/root-key.ts';
import type { Table } from '../data/table.ts';
import { EndpointFunction } from '../functions/endpoint-function.ts';
import type { Stage } from '../settings/stages.ts';

export interface SignedCanaryProps {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  readonly table: Table;
  readonly rootKey: RootKey;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
}

/** The operations that the canary calls, and whose new versions it checks before any client reaches them. */
const checked = Object.values(serviceOperations)
  .filter((operation) => documentationOf(operation).calledByCanary)
  .map(({ name }) => name);

/**
 * Calls the service each minute, signed as an application. The calling function may only invoke the one that issues its key,
 * which can write only the canary's own application and user, with search entries and the format of the table. Neither has an
 * alias: they check releases and are not part of them.
 */
export class SignedCanary extends Construct {
  readonly function: EndpointFunction;

  constructor(scope: Construct, id: string, props: SignedCanaryProps) {
    super(scope, id);
    const keyFunction = this.#createKeyFunction(props);
    this.function = new EndpointFunction(this, 'Run', {
      name: 'run-canary',
      stage: props.stage,
      isReleased: false,
      environment: { API_URL: props.serviceApi.url, KEY_FUNCTION: keyFunction.function.functionArn },
      memorySizeMb: 512,
      // Longer than all timeouts inside the function, and shorter than the minute after which the next run begins.
      timeoutSeconds: 50,
    });
    this.#allowInvoke(keyFunction.function);
    new Rule(this, 'EachMinute', {
      description: `The canary of ${props.stage.serviceName}`,
      schedule: Schedule.rate(Duration.minutes(1)),
      // The result of a late run would belong to another minute.
      targets: [new FunctionTarget(this.function.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }

  /** Whether it calls the new version of a function before a release begins. */
  checks(fn: EndpointFunction, { functions }: ServiceApi): boolean {
    return checked.some((name) => functions.get(name) === fn);
  }

  /** Lets it call the new versions and report the result to CodeDeploy. */
  checkReleases({ functions }: ServiceApi, groups: readonly LambdaDeploymentGroup[]): void {
    const versions = checked.map((name) => [name, functions.get(name)?.function.currentVersion] as const);
    for (const [, version] of versions) if (version !== undefined) this.#allowInvoke(version);
    const arns = Object.fromEntries(versions.map(([name, version]) => [name, version?.functionArn]));
    this.function.function.addEnvironment('VERSIONS', Stack.of(this).toJsonString(arns));
    const answering = new PolicyStatement({
      actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      resources: groups.map(({ deploymentGroupArn }) => deploymentGroupArn),
    });
    // A separate policy, because the function depends on the role's own one, and the groups depend on the function.
    const policy = new Policy(this, 'Answer', { roles: [this.function.role], statements: [answering] });
    for (const name of checked) functions.get(name)?.alias?.node.addDependency(policy);
  }

  #createKeyFunction({ stage, table, rootKey, changeRetentionDays }: SignedCanaryProps): EndpointFunction {
    // Different in each Region: two canaries that write the same items in copies of a table would undo each other's changes.
    const id = `canary-${Aws.REGION}`;
    const fn = new EndpointFunction(this, 'IssueKey', {
      name: 'issue-canary-key',
      stage,
      isReleased: false,
      environment: {
        TABLE_NAME: table.resource.tableName,
        ROOT_KEYS: rootKey.rootKeys,
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
        CANARY_ID: id,
      },
    });
    rootKey.grantGenerateMac(fn);
    table.grantUseOf(fn, id);
    return fn;
  }

  #allowInvoke({ functionArn }: Pick<IFunction, 'functionArn'>): void {
    this.function.role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
  }
}
