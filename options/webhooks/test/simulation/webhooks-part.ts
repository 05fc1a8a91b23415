import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { brokenInWebhooks } from './broken-webhooks.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { drawWebhooks } from './webhook-swarm.ts';
import { setDeliverer, Webhooks } from './webhook-world.ts';

/** Webhooks in the simulation: some seeds have them. */
export const part: SimulationPart = {
  draw: (seed, run) => {
    const swarm = drawWebhooks(seed);
    setDeliverer(swarm !== undefined);
    return swarm && new Webhooks(run, swarm);
  },
  checks: {
    webhooks: { promise: 'a webhook gets every change, those of a user in their order', find: checkWebhooks },
  },
  brokenConditions: brokenInWebhooks,
};
