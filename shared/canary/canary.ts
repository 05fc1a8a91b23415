import { canaryConfig } from '#shared/core/config.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { callAws, invokeFunction } from './call-aws.ts';
import { createServiceCaller, type SigningKey } from './call-service.ts';
import { type CanarySubject, runCanary } from './canary-run.ts';
import { sendToVersion } from './send-to-version.ts';

/** What CodeDeploy sends before it gives a new version its first request. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** What the function that issues the canary's key answers. */
export interface CanaryKey extends SigningKey {
  readonly userId: string;
}

/** The key is only here, in the memory of the process. */
let known: CanarySubject | undefined;

/** One run by way of the network, as an application; publishes what it has measured, and never throws. */
export async function runByNetwork(): Promise<void> {
  try {
    publishMetrics({
      CanaryFailures: 0,
      ...(await runCanary(createServiceCaller(canaryConfig().api), await subject())),
    });
  } catch (error) {
    // The key may be revoked, and the cursor expired.
    known = undefined;
    log.error('The canary has failed', error as Error);
    publishMetrics({ CanaryFailures: 1 });
  }
}

/**
 * One run by the new versions of a release, before they get any other request, and tells CodeDeploy what came of it: it goes
 * on only after `Succeeded`. A failure is no metric, because nobody else has met it.
 */
export async function checkRelease({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const { api, versions } = canaryConfig();
  const service = createServiceCaller(api, sendToVersion(versions));
  const status = await runCanary(service, await subject()).then(
    () => 'Succeeded',
    (error: Error) => {
      known = undefined;
      log.error('The new versions have failed', error);
      return 'Failed';
    },
  );
  await callAws({
    service: 'codedeploy',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
    },
    body: JSON.stringify({
      deploymentId: DeploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status,
    }),
  });
}

async function subject(): Promise<CanarySubject> {
  if (known === undefined) {
    const { userId, keyId, secret } = await invokeFunction<CanaryKey>(canaryConfig().keyFunction, {});
    known = { userId, key: { keyId, secret } };
  }
  return known;
}
