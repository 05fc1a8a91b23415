import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { Trial } from './trial.ts';

/** A check of an endpoint for connections. */
export interface BearerProbe {
  readonly endpoint: BearerEndpoint;
  readonly does: string;
  /** Returns a detail to print. */
  readonly run: (trial: Trial, api: string) => Promise<string>;
}
