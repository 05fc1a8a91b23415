import { checkRelease, type HookEvent, runOverNetwork } from '#shared/canary/canary.ts';

/** Each minute by EventBridge, and before a release gets its first request by CodeDeploy. */
export async function handler(event: HookEvent | object): Promise<void> {
  if ('LifecycleEventHookExecutionId' in event) await checkRelease(event);
  else await runOverNetwork();
}
