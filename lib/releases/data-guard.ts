import { Aws, CfnOutput, type CfnResource, CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { EndpointFunction } from '../functions/endpoint-function.ts';
import type { Settings } from '../settings/settings.ts';
import { dataSettingsOf, lossesByOutput } from './data-settings.ts';
import type { GuardedData } from './guarded-data.ts';

export interface DataGuardProps extends Settings {
  /** The constructs of the table, the root keys and the operators' user pool, where the stack creates them. */
  readonly table: Construct;
  readonly rootKey: Construct;
  readonly operatorLogin: Construct | undefined;
}

/**
 * Refuses, inside CloudFormation, what `npm run deploy` refuses before a deployment: to lose the table, a root key, the operators'
 * user pool or a signing key. It compares what was deployed with what is planned before anything that holds data is touched, and
 * its failure rolls the deployment back: what a template no longer has is deleted only at the end of a deployment that succeeds.
 */
export class DataGuard extends Construct {
  constructor(scope: Construct, id: string, props: DataGuardProps) {
    super(scope, id);
    const { stage } = props;
    const data = guardedData(this, props);
    const guard = new EndpointFunction(this, 'Check', {
      name: 'guard-data',
      stage,
      isReleased: false,
      memorySizeMb: 256,
      timeoutSeconds: 60,
    });
    guard.role.addToPolicy(
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
        resources: [Aws.STACK_ID],
      }),
    );
    const resource = new CustomResource(this, 'Data', {
      serviceToken: guard.function.functionArn,
      resourceType: 'Custom::DataGuard',
      // Otherwise CloudFormation waits an hour for a function that does not answer.
      serviceTimeout: Duration.minutes(5),
      properties: { ...data },
    });
    resource.node.addDependency(guard.role);
    if (data.Table !== '') resource.node.addDependency(this.#letListTables(guard));
    // What is imported comes before everything else, and CloudFormation imports it alone.
    if (props.adoption !== undefined) return;
    for (const guarded of [props.table, props.rootKey, props.operatorLogin]) guarded?.node.addDependency(resource);
  }

  #letListTables(guard: EndpointFunction): Policy {
    const statement = new PolicyStatement({ sid: 'Tables', actions: ['dynamodb:ListTables'], resources: ['*'] });
    const policy = new Policy(this, 'Tables', { roles: [guard.role], statements: [statement] });
    Validations.of(policy).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Statement Tables: dynamodb:ListTables does not support resources (Service Authorization Reference).',
    });
    return policy;
  }
}

function guardedData(scope: Construct, props: DataGuardProps): GuardedData {
  const { table, rootKey, rootKeys, adoption, stage } = props;
  const stack = Stack.of(scope);
  const outputs = (scope.node.scope ?? scope).node.children.filter((child) => child instanceof CfnOutput);
  const names = outputs.map(({ node }) => node.id);
  const created = resourceIn(table, 'Items');
  const keys = rootKeys.flatMap(({ name }) => {
    const key = resourceIn(rootKey, name.toUpperCase());
    return key === undefined || adoption?.rootKeys[name] !== undefined ? [] : [`${stack.getLogicalId(key)}=${name}`];
  });
  return {
    DataSettings: JSON.stringify(dataSettingsOf(props)),
    Outputs: Object.keys(lossesByOutput)
      .filter((name) => names.includes(name))
      .join(),
    Table:
      created === undefined || !stage.keepsData || adoption?.tableName !== undefined ? '' : stack.getLogicalId(created),
    RootKeys: stage.keepsData ? keys.join() : '',
    Confirmed: props.confirmedChanges.join(),
  };
}

/** The resource that a construct creates; undefined if it refers to an existing one. */
function resourceIn(scope: Construct, id: string): CfnResource | undefined {
  const construct = scope.node.tryFindChild(id);
  return (construct?.node.defaultChild ?? construct?.node.tryFindChild('Resource')) as CfnResource | undefined;
}
