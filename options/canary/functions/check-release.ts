import { checkRelease, type HookEvent } from '../release-hook.ts';

/** Invoked by CodeDeploy before the new version of a function gets its first request. */
export function handler(event: HookEvent): Promise<void> {
  return checkRelease(event);
}
