import type { AddToStack } from '#lib/option-stack.ts';
import { canaryAlarms, canaryGraphs, stoppedAlarms } from './canary-monitoring.ts';
import { ReleaseCheck } from './release-check.ts';
import { SignedCanary } from './signed-canary.ts';

/** Unless the setting `canary` is `off`, calls the service each minute, and new versions before their first request. */
export const addCanary: AddToStack = (stack, settings) => {
  if (settings.canary === 'off') return undefined;
  const { stage, changeRetentionDays } = settings;
  const { table, rootKey, serviceApi, changeEvents } = stack;
  const canary = new SignedCanary(stack, 'Canary', { stage, changeRetentionDays, table, rootKey, serviceApi });
  return {
    // Where a Region stands by, its canary's changes are published and numbered in the other one.
    alarms: [...canaryAlarms(stage), ...(changeEvents.readsStream ? stoppedAlarms(stage) : [])],
    graphs: canaryGraphs(stage),
    createReleaseCheck: () =>
      new ReleaseCheck(stack, 'ReleaseCheck', { stage, serviceApi, canary, changeRetentionDays }),
  };
};
