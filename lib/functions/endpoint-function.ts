import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type CfnFunction,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespace } from '#shared/contract/metrics.ts';
import type { Stage as ServiceStage } from '../settings/stages.ts';
import { bundleFunction } from './bundle-function.ts';
import { FunctionRole } from './function-role.ts';

const aliasName = 'live';

export interface EndpointFunctionProps {
  /** The file in `functions/`, without its extension. */
  readonly name: string;
  readonly stage: ServiceStage;
  /** Environment variables in addition to those of Powertools. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Memory, which also sets the share of a CPU: 1769 MB are one whole CPU. Default: 1024. By calculation, a request's 2 ms of
   * CPU time then take 4 ms, and the first request after a cold start is 60 ms faster than with 512, for 5 cents more per
   * million requests.
   */
  readonly memorySizeMb?: number;
  /**
   * Default: 12, above all deadlines inside the function and below the 15 s for which the name of a deleted role is blocked:
   * when the name can be reused, no request that read the role is still running.
   */
  readonly timeoutSeconds?: number;
  /** Provisioned concurrency of the alias. Default: none, so some requests wait for a cold start. */
  readonly provisionedConcurrency?: number | undefined;
  /** The log group, if several functions share one. Default: its own. */
  readonly logGroup?: LogGroup;
  /** Whether releases of the stage include it; otherwise each deployment replaces it at once. Default: true. */
  readonly isReleased?: boolean;
}

/**
 * One Lambda function with its own role and bundle. The role allows logs, traces if the stage has them, and what is
 * granted later.
 */
export class EndpointFunction extends Construct {
  readonly function: LambdaFunction;
  /** Points to the released version; absent in stages without canary releases. */
  readonly alias: Alias | undefined;
  readonly role: FunctionRole;
  /** The name of its file in `functions/`, without its extension. */
  readonly name: string;
  /** The maximum number of environments. Default: what the account has left. */
  reservedConcurrency: number | undefined;

  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    super(scope, id);
    this.name = props.name;
    const logGroup = props.logGroup ?? createLogGroup(this, 'Log', props.stage);
    this.role = new FunctionRole(this, 'Role', props.stage);
    // Narrower than the managed AWSLambdaBasicExecutionRole, which allows writing to every log group of the account.
    logGroup.grantWrite(this.role);
    this.function = new LambdaFunction(this, 'Function', {
      description: `auth-service: ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      // Costs a fifth less than x86-64 for the same time (AWS Lambda pricing).
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: this.#bundle(),
      environment: {
        POWERTOOLS_SERVICE_NAME: props.stage.serviceName,
        POWERTOOLS_METRICS_NAMESPACE: metricNamespace,
        ...props.environment,
      },
      memorySize: props.memorySizeMb ?? 1024,
      timeout: Duration.seconds(props.timeoutSeconds ?? 12),
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: props.stage.applicationLogLevel,
      systemLogLevelV2: props.stage.systemLogLevel,
      // Retains earlier versions, so that a release can still be rolled back later. The version of a rolled-back release is
      // not retained, because the next deployment of the same code would be refused: "A version for this Lambda function
      // exists".
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    // The CDK's property `tracing` would add its two actions to the role's other statements.
    if (props.stage.tracing) (this.function.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
    this.alias = props.stage.canary && props.isReleased !== false ? this.#createAlias(props) : undefined;
  }

  /** What callers invoke: the alias or, without one, the function. */
  get invoked(): IFunction {
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    return (this.alias as IFunction | undefined) ?? this.function;
  }

  /** The ARN of what callers invoke, for policies that must not wait for a release to move the alias. */
  get invokedArn(): string {
    const { functionArn } = this.function;
    return this.alias === undefined ? functionArn : `${functionArn}:${aliasName}`;
  }

  /** Reserves this number of the account's environments for the function, which never gets more. */
  reserveConcurrency(environments: number): void {
    this.reservedConcurrency = environments;
    (this.function.node.defaultChild as CfnFunction).reservedConcurrentExecutions = environments;
  }

  /** Allows the function to invoke others. */
  letInvoke(...functions: readonly Pick<IFunction, 'functionArn'>[]): void {
    this.role.addToPolicy(invocationOf(functions));
  }

  /** Allows the function to invoke one that depends on its role, such as itself: the role cannot name it. */
  letInvokeDependent(id: string, { function: dependent }: EndpointFunction): void {
    new Policy(this, id, { roles: [this.role], statements: [invocationOf([dependent])] });
  }

  #createAlias({ provisionedConcurrency }: EndpointFunctionProps): Alias {
    return new Alias(this, 'Live', {
      aliasName,
      version: this.function.currentVersion as IVersion,
      ...(provisionedConcurrency !== undefined && { provisionedConcurrentExecutions: provisionedConcurrency }),
    });
  }

  /**
   * Allows the use of a KMS key whose policy names the role, in a policy of its own: the role exists before the key, and the key
   * before the function.
   */
  allowUseOfKey(statement: PolicyStatement): void {
    this.function.node.addDependency(new Policy(this, 'UseOfKey', { roles: [this.role], statements: [statement] }));
  }

  /** A command that only lists stacks, such as `cdk ls`, needs no code. */
  #bundle(): Code {
    if (!Stack.of(this).bundlingRequired) return Code.fromInline('-');
    const { directory } = bundleFunction(this.name, join(Stage.of(this)?.outdir ?? 'cdk.out', 'bundles'));
    return Code.fromAsset(directory);
  }
}

/** A log group with the stage's retention. Deleted with the stack: the Changes, which must outlive it, are in the table. */
export function createLogGroup(scope: Construct, id: string, { logRetention }: ServiceStage): LogGroup {
  return new LogGroup(scope, id, { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY });
}

function invocationOf(functions: readonly Pick<IFunction, 'functionArn'>[]): PolicyStatement {
  const resources = functions.map(({ functionArn }) => functionArn);
  return new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources });
}
