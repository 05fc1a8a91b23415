import type { OptionProbes } from '#smoke/option-probes.ts';
import { type ManageProbes, requireEqual, type Trial } from '#smoke/trial.ts';

const app = ({ appId }: Trial) => ({ path: { appId } });

const preparation: Partial<ManageProbes> = {
  'list-access-review': {
    request: app,
    check: ({ asOf }) => requireEqual('asOf', Date.parse(asOf) > 0, true),
  },
  'review-application': {
    request: (trial) => ({ ...app(trial), body: { asOf: new Date().toISOString() } }),
    check: ({ reviewedAt }) => requireEqual('reviewedAt', reviewedAt !== null, true),
  },
};

/** What reviews add to the smoke test. */
export const reviewProbes: OptionProbes = { preparation };
