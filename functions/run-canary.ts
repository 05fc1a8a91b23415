import { runOverNetwork } from '#shared/canary/canary.ts';

/** Invoked by EventBridge each minute. */
export function handler(): Promise<void> {
  return runOverNetwork();
}
