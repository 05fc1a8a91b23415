import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EndpointFunction } from '../functions/endpoint-function.ts';

/** A condition that needs a person's attention. */
export interface AlarmDefinition {
  readonly name: string;
  /** The heading of its section in `docs/operate/runbook.md`. Default: its name. */
  readonly section?: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm fires at this value or above. */
  readonly threshold: number;
  /** Whether it fires below that value instead. Default: false. */
  readonly isMinimum?: boolean;
  /** How many datapoints must reach the threshold, out of how many periods, such as `[2, 3]`. Default: one of one. */
  readonly datapoints?: readonly [datapoints: number, periods: number];
  /**
   * Whether it rolls back every release, or the functions whose releases it rolls back: for problems that a release can cause
   * and that show within its five minutes. A deployment watches at most ten alarms.
   */
  readonly rollsBack?: boolean | readonly EndpointFunction[];
  /** Whether it also fires without data. Default: missing data does not breach the threshold. */
  readonly firesWithoutData?: true;
}
