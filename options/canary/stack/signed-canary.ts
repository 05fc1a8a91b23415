import { Aws, Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { ServiceApi } from '#lib/api/service-api.ts';
import type { RootKey } from '#lib/data/root-key.ts';
import type { Table } from '#lib/data/table.ts';
import { EndpointFunction } from '#lib/functions/endpoint-function.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { apiKeyRoots, historyRoots } from '#shared/contract/root-purposes.ts';

export interface SignedCanaryProps {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  readonly table: Table;
  readonly rootKey: RootKey;
  /** Days that a Change is kept in the table. */
  readonly changeRetentionDays: number;
}

/**
 * Calls the service each minute, signed as an application. The calling function may only invoke the one that issues its key,
 * which can write only the canary's own application and user, with search entries and the format of the table. Neither has an
 * alias: they are not part of releases.
 */
export class SignedCanary extends Construct {
  readonly function: EndpointFunction;
  /** Issues the canary's key to the functions that may invoke it. */
  readonly keyFunction: EndpointFunction;

  constructor(scope: Construct, id: string, props: SignedCanaryProps) {
    super(scope, id);
    this.keyFunction = this.#createKeyFunction(props);
    this.function = new EndpointFunction(this, 'Run', {
      name: 'run-canary',
      stage: props.stage,
      isReleased: false,
      environment: { API_URL: props.serviceApi.url, KEY_FUNCTION: this.keyFunction.function.functionArn },
      memorySizeMb: 512,
      // Longer than all timeouts inside the function, and shorter than the minute after which the next run begins.
      timeoutSeconds: 50,
    });
    this.function.letInvoke(this.keyFunction.function);
    new Rule(this, 'EachMinute', {
      description: `The canary of ${props.stage.serviceName}`,
      schedule: Schedule.rate(Duration.minutes(1)),
      // The result of a late run would belong to another minute.
      targets: [new FunctionTarget(this.function.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
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
        CHANGE_RETENTION_DAYS: String(changeRetentionDays),
        CANARY_ID: id,
      },
    });
    rootKey.grantUse(fn, apiKeyRoots, historyRoots);
    table.grantUseOf(fn, id);
    return fn;
  }
}
