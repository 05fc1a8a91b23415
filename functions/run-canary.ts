import { checkRelease, type HookEvent, runOverNetwork } from '#shared/canary/canary.ts';

/** Invoked by EventBridge each minute, and by CodeDeploy before a release gets its first request. */
export async function handler(event: HookEvent | object): Promise<void> {
  if ('LifecycleEventHookExecutionId' in event) await checkRelease(event);
  else await runOverNetwork();
}
