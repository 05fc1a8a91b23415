import { createServiceCaller, type SigningKey } from '#shared/calls/call-service.ts';
import { invokeFunction } from '#shared/core/call-aws.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { canaryConfig } from './canary-config.ts';
import { type CanarySubject, runCanary } from './canary-run.ts';

/** The response of the function that issues the canary's key. */
export interface CanaryKey extends SigningKey {
  readonly userId: string;
  readonly role: string;
}

/** The key is kept only in the memory of this process. */
let known: CanarySubject | undefined;

/** Runs once over the network, as an application, and publishes the measurements; never throws. */
export async function runOverNetwork(): Promise<void> {
  try {
    known ??= await canarySubject();
    publishMetrics({ CanaryFailures: 0, ...(await runCanary(createServiceCaller(canaryConfig().api), known)) });
  } catch (error) {
    // The key may have been revoked, or the cursor may have expired.
    known = undefined;
    log.error('The canary has failed', error as Error);
    publishMetrics({ CanaryFailures: 1 });
  }
}

/** Returns the canary's user and key, which are created if they do not exist. */
export async function canarySubject(): Promise<CanarySubject> {
  const { userId, role, keyId, secret } = await invokeFunction<CanaryKey>(canaryConfig().keyFunction, {});
  return { userId, role, key: { keyId, secret } };
}
