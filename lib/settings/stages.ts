import { RemovalPolicy } from 'aws-cdk-lib';
import { ApplicationLogLevel, SystemLogLevel } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { serviceName } from '#shared/contract/metrics.ts';

/** The differences between the stages of the service. */
export interface Stage {
  readonly name: 'dev' | 'staging' | 'prod';
  /** Unique to the stage, so that one account and Region can contain them all. */
  readonly stackName: string;
  /** The prefix of physical names; also the `service` of logs and metrics. */
  readonly serviceName: string;
  /** Whether data, root key and login are retained when the stack is deleted, with deletion protection for all of them. */
  readonly keepsData: boolean;
  /** Whether a missing build of the dashboard is an error, unless the settings leave the dashboard out. */
  readonly requiresDashboard: boolean;
  /** Whether a login may return to `http://localhost:3000/` unless a setting says otherwise. */
  readonly localLogin: boolean;
  /** Whether a release first gets a tenth of the requests, and is rolled back if an alarm fires. */
  readonly canary: boolean;
  /** Whether alarms notify the topic even without `alarmEmail`. */
  readonly alarmsNotify: boolean;
  /** Minutes without any request until an alarm fires: a multiple of 5 up to 1440, or 0 for no such alarm. */
  readonly noTrafficMinutes: number;
  /** Whether DynamoDB reports the keys that it throttles. */
  readonly contributorInsights: boolean;
  /** Days that a Change is kept in the table, unless a setting says otherwise. */
  readonly changeRetentionDays: number;
  readonly logRetention: RetentionDays;
  readonly applicationLogLevel: ApplicationLogLevel;
  readonly systemLogLevel: SystemLogLevel;
  /** Whether X-Ray records requests, unless a setting says otherwise. */
  readonly tracing: boolean;
  /** Whether API Gateway logs every request too, unless a setting says otherwise. */
  readonly accessLog: boolean;
}

/**
 * `dev` is for experiments; `staging` releases as `prod` does. `cdk destroy` removes both completely, and `prod` retains
 * everything. The log level is at most INFO, the level of metrics and of each request's line; at WARN Lambda omits its own
 * lines about each invocation.
 */
export const stages: Readonly<Record<Stage['name'], Stage>> = {
  dev: {
    name: 'dev',
    stackName: 'AuthService-dev',
    serviceName: `${serviceName}-dev`,
    keepsData: false,
    requiresDashboard: false,
    localLogin: true,
    canary: false,
    alarmsNotify: false,
    noTrafficMinutes: 0,
    contributorInsights: false,
    changeRetentionDays: 30,
    logRetention: RetentionDays.ONE_WEEK,
    applicationLogLevel: ApplicationLogLevel.DEBUG,
    systemLogLevel: SystemLogLevel.INFO,
    tracing: true,
    accessLog: true,
  },
  staging: {
    name: 'staging',
    stackName: 'AuthService-staging',
    serviceName: `${serviceName}-staging`,
    keepsData: false,
    requiresDashboard: true,
    localLogin: false,
    canary: true,
    alarmsNotify: true,
    noTrafficMinutes: 0,
    contributorInsights: false,
    changeRetentionDays: 30,
    logRetention: RetentionDays.ONE_MONTH,
    applicationLogLevel: ApplicationLogLevel.INFO,
    systemLogLevel: SystemLogLevel.WARN,
    tracing: false,
    accessLog: false,
  },
  prod: {
    name: 'prod',
    stackName: 'AuthService-prod',
    serviceName,
    keepsData: true,
    requiresDashboard: true,
    localLogin: false,
    canary: true,
    alarmsNotify: true,
    noTrafficMinutes: 60,
    contributorInsights: true,
    changeRetentionDays: 365,
    logRetention: RetentionDays.THREE_MONTHS,
    applicationLogLevel: ApplicationLogLevel.INFO,
    systemLogLevel: SystemLogLevel.WARN,
    tracing: false,
    accessLog: false,
  },
};

/** The removal policy of resources with data. */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
