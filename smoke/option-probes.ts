import type { BearerProbe } from './bearer-probe.ts';
import type { ManageProbes, ServiceProbes, Trial } from './trial.ts';

/** What an option adds to the smoke test. */
export interface OptionProbes {
  /** Of the Management API: before the Service API is tried, after that, and after what operators do with users. */
  readonly preparation?: Partial<ManageProbes>;
  readonly operation?: Partial<ManageProbes>;
  readonly completion?: Partial<ManageProbes>;
  readonly service?: ServiceProbes;
  /** Of endpoints for connections. */
  readonly bearer?: readonly BearerProbe[];
  /** Deletes what they may have left, by the application of the run. */
  readonly cleanUp?: (manage: Trial['manage'], appId: string) => Promise<void>;
}
