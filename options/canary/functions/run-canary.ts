import { runOverNetwork } from '../canary.ts';

/** Invoked by EventBridge each minute. */
export function handler(): Promise<void> {
  return runOverNetwork();
}
