import { join } from 'node:path';
import { Duration, RemovalPolicy, Stage, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleFunction } from './bundle-function.ts';
import type { Stage as ServiceStage } from './stages.ts';

export interface EndpointFunctionProps {
  /** The file in `functions/`, without its ending. */
  readonly name: string;
  readonly stage: ServiceStage;
  /** Environment variables beside the service's name. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Memory, and with it a share of CPU, of which 1769 MB are one. Default: 1024. By calculation the 2 ms of computing of
   * a request take 4 there, and the first one after a cold start is 60 ms faster than at 512, for 5 cents more per
   * million requests.
   */
  readonly memorySizeMb?: number;
  /**
   * Default: 12, above all the deadlines inside and below the 15 s for which a deleted role's name is refused: no request
   * that saw the role lives until the name means another.
   */
  readonly timeoutSeconds?: number;
}

/** One Lambda function with a role, a log group and a bundle of its own; it may log, trace, and what it is granted. */
export class EndpointFunction extends Construct {
  readonly function: LambdaFunction;
  /** Stands for the version that is released; absent where releases reach everybody at once. */
  readonly alias: Alias | undefined;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    super(scope, id);
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
      environment: { SERVICE_NAME: props.stage.serviceName, ...props.environment },
      memorySize: props.memorySizeMb ?? 1024,
      timeout: Duration.seconds(props.timeoutSeconds ?? 12),
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: props.stage.applicationLogLevel,
      systemLogLevelV2: props.stage.systemLogLevel,
      tracing: Tracing.ACTIVE,
      // An earlier version stays, so that a release can be taken back later too.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    this.alias = props.stage.canary ? this.#createAlias() : undefined;
  }

  /** What everybody has to invoke. */
  get invoked(): IFunction {
    // The class declares an optional property less strictly than its own interface.
    return (this.alias as IFunction | undefined) ?? this.function;
  }

  #createAlias(): Alias {
    return new Alias(this, 'Live', { aliasName: 'live', version: this.function.currentVersion as IVersion });
  }

  /** Goes with the stack: what must outlive it, the Changes, is in the table. */
  #createLogGroup({ logRetention }: ServiceStage): LogGroup {
    return new LogGroup(this, 'Log', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY });
  }

  /** Instead of the managed AWSLambdaBasicExecutionRole, which may write to every log group of the account. */
  #createRole(logGroup: LogGroup): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'xray:PutTraceSegments and xray:PutTelemetryRecords know no resources (Service Authorization Reference).',
    });
    return role;
  }

  #bundlesDirectory(): string {
    return join(Stage.of(this)?.outdir ?? 'cdk.out', 'bundles');
  }
}
