import { join } from 'node:path';
import { Duration, RemovalPolicy, Stage, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
  /** Whether releases of the stage include it; otherwise each deployment replaces it at once. Default: true. */
  readonly isReleased?: boolean;
}

/**
 * One Lambda function with its own role, log group and bundle. The role allows logs, traces if the stage has them, and what is
 * granted later.
 */
export class EndpointFunction extends Construct {
  readonly function: LambdaFunction;
  /** Points to the released version; absent in stages without canary releases. */
  readonly alias: Alias | undefined;
  readonly role: Role;
  /** The name of its file in `functions/`, without its extension. */
  readonly name: string;
  /** The maximum number of environments. Default: what the account has left. */
  reservedConcurrency: number | undefined;

  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    super(scope, id);
    this.name = props.name;
    const logGroup = this.#createLogGroup(props.stage);
    this.role = this.#createRole(logGroup);
    const bundle = bundleFunction(props.name, this.#bundlesDirectory());
    this.function = new LambdaFunction(this, 'Function', {
      description: `auth-service: ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      // Costs a fifth less than x86-64 for the same time (AWS Lambda pricing).
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundle.directory),
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
    if (props.stage.tracing) this.#trace();
    this.alias = props.stage.canary && props.isReleased !== false ? this.#createAlias(props) : undefined;
  }

  /** What callers invoke: the alias or, without one, the function. */
  get invoked(): IFunction {
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    return (this.alias as IFunction | undefined) ?? this.function;
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

  /** Allows the function to invoke itself: it depends on the role's first policy, which therefore cannot name it. */
  letInvokeItself(): void {
    new Policy(this, 'Continue', { roles: [this.role], statements: [invocationOf([this.function])] });
  }

  #createAlias({ provisionedConcurrency }: EndpointFunctionProps): Alias {
    return new Alias(this, 'Live', {
      aliasName: 'live',
      version: this.function.currentVersion as IVersion,
      ...(provisionedConcurrency !== undefined && { provisionedConcurrentExecutions: provisionedConcurrency }),
    });
  }

  /** Deleted with the stack: the Changes, which must outlive it, are in the table. */
  #createLogGroup({ logRetention }: ServiceStage): LogGroup {
    return new LogGroup(this, 'Log', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY });
  }

  /** Narrower than the managed AWSLambdaBasicExecutionRole, which allows writing to every log group of the account. */
  #createRole(logGroup: LogGroup): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    return role;
  }

  /**
   * Enables X-Ray. Its two actions get a separate policy, whose only statement is the acknowledged one: the CDK's property
   * `tracing` would add them to the role's other statements, where any other wildcard would pass too.
   */
  #trace(): void {
    const fn = this.function.node.defaultChild as CfnFunction;
    fn.tracingConfig = { mode: 'Active' };
    const policy = new Policy(this, 'Traces', {
      roles: [this.role],
      statements: [
        new PolicyStatement({
          sid: 'Traces',
          actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
          resources: ['*'],
        }),
      ],
    });
    // Lambda refuses a traced function whose role may not call PutTraceSegments yet (serverless-application-model#225).
    fn.node.addDependency(policy);
    Validations.of(policy).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Statement Traces: xray:PutTraceSegments and xray:PutTelemetryRecords do not support resources (Service Authorization Reference).',
    });
  }

  #bundlesDirectory(): string {
    return join(Stage.of(this)?.outdir ?? 'cdk.out', 'bundles');
  }
}

function invocationOf(functions: readonly Pick<IFunction, 'functionArn'>[]): PolicyStatement {
  const resources = functions.map(({ functionArn }) => functionArn);
  return new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources });
}
