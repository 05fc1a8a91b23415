import type * as telemetry from '#shared/core/telemetry.ts';

/* Stands in for `shared/core/telemetry.ts` in the bundle of the fake: no log and no metrics but errors on the console. */

const silent = () => undefined;

export const log = {
  info: silent,
  warn: silent,
  error: (message: string, details: unknown) => console.error(message, details),
};
export const logBriefly: typeof telemetry.logBriefly = silent;
export const publishMetrics: typeof telemetry.publishMetrics = silent;
export const isColdStart: typeof telemetry.isColdStart = () => false;
export const currentUsage: typeof telemetry.currentUsage = silent;
export const trackUsage: typeof telemetry.trackUsage = (run) => run();
