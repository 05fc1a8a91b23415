import { RemovalPolicy } from 'aws-cdk-lib';
import { ApplicationLogLevel, SystemLogLevel } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { serviceName } from '#shared/contract/metrics.ts';

/** What a stage of the service differs in. */
export interface Stage {
  readonly name: 'dev' | 'staging' | 'prod';
  /** No two stages share it, so that one account and Region holds them all. */
  readonly stackName: string;
  /** Begins the names of whatever has one; also the `service` of logs and metrics. */
  readonly serviceName: string;
  /** Whether data, root key and login outlive the stack, and neither they nor the stack can be deleted by mistake. */
  readonly keepsData: boolean;
  /** Whether a release first gets a tenth of the requests, and is taken back when an alarm begins. */
  readonly canary: boolean;
  /** Whether alarms tell anybody although no address is given. */
  readonly alarmsTell: boolean;
  /** Whether DynamoDB names the keys that it throttles. */
  readonly contributorInsights: boolean;
  /** Days that a Change stays in the table, unless the context says otherwise. */
  readonly changeRetentionDays: number;
  readonly logRetention: RetentionDays;
  readonly applicationLogLevel: ApplicationLogLevel;
  readonly systemLogLevel: SystemLogLevel;
}

/**
 * `dev` is for trying and goes whole with `cdk destroy`; `staging` releases as `prod` does, and goes too; `prod` keeps
 * everything. A log level of INFO is the least: the line of each request has it.
 */
export const stages: Readonly<Record<Stage['name'], Stage>> = {
  dev: {
    name: 'dev',
    stackName: 'AuthService-dev',
    serviceName: `${serviceName}-dev`,
    keepsData: false,
    canary: false,
    alarmsTell: false,
    contributorInsights: false,
    changeRetentionDays: 30,
    logRetention: RetentionDays.ONE_WEEK,
    applicationLogLevel: ApplicationLogLevel.DEBUG,
    systemLogLevel: SystemLogLevel.INFO,
  },
  staging: {
    name: 'staging',
    stackName: 'AuthService-staging',
    serviceName: `${serviceName}-staging`,
    keepsData: false,
    canary: true,
    alarmsTell: true,
    contributorInsights: false,
    changeRetentionDays: 30,
    logRetention: RetentionDays.ONE_MONTH,
    applicationLogLevel: ApplicationLogLevel.INFO,
    systemLogLevel: SystemLogLevel.WARN,
  },
  prod: {
    name: 'prod',
    stackName: 'AuthService-prod',
    serviceName,
    keepsData: true,
    canary: true,
    alarmsTell: true,
    contributorInsights: true,
    changeRetentionDays: 365,
    logRetention: RetentionDays.THREE_MONTHS,
    applicationLogLevel: ApplicationLogLevel.INFO,
    systemLogLevel: SystemLogLevel.WARN,
  },
};

/** What becomes of a resource that holds data when it leaves the stack. */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
