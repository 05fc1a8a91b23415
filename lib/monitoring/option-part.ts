import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';

/** What an option has added to the stack. */
export interface OptionPart {
  /** Functions with alarms and graphs like those of the core. Default: none. */
  readonly functions?: readonly EndpointFunction[];
  /** Those of them whose concurrency is full by design. Default: none. */
  readonly busyFunctions?: readonly EndpointFunction[];
  /** Those of them that refuse by failing: an alarm of their own tells refusals from failures. Default: none. */
  readonly refusingFunctions?: readonly EndpointFunction[];
  /** Its own alarms. */
  readonly alarms: readonly AlarmDefinition[];
  /** Its graphs on the dashboard of the stage. Default: none. */
  readonly graphs?: readonly Graph[];
  /** KMS keys that only its functions may use, which the root key watch reports otherwise. Default: none. */
  readonly keyArns?: readonly string[];
  /** Creates what checks the new versions of functions before their first request. Default: nothing does. */
  readonly createReleaseCheck?: () => VersionCheck;
}

export interface Graph {
  readonly title: string;
  readonly metrics: readonly IMetric[];
}

/** Checks new versions before a release moves requests to them. */
export interface VersionCheck {
  readonly function: EndpointFunction;
  /** The ARN as which it calls the Management API. */
  readonly operatorArn: string;
  checkVersions(functions: readonly EndpointFunction[], application: ILambdaApplication): void;
}
