import { canaryConfig } from '#shared/core/config.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { callAws, invokeFunction } from './call-aws.ts';
import { createServiceCaller, type SigningKey } from './call-service.ts';
import { type CanarySubject, runCanary } from './canary-run.ts';
import { sendToVersion } from './send-to-version.ts';

/** The event that CodeDeploy sends before it shifts traffic to a new version. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** The response of the function that issues the canary's key. */
export interface CanaryKey extends SigningKey {
  readonly userId: string;
}

/** The key is kept only in the memory of this process. */
let known: CanarySubject | undefined;

/** One run over the network, as an application; publishes its measurements, and never throws. */
export async function runOverNetwork(): Promise<void> {
  try {
    publishMetrics({
      CanaryFailures: 0,
      ...(await runCanary(createServiceCaller(canaryConfig().api), await subject())),
    });
  } catch (error) {
    // The key may have been revoked, or the cursor may have expired.
    known = undefined;
    log.error('The canary has failed', error as Error);
    publishMetrics({ CanaryFailures: 1 });
  }
}

/**
 * One run against the new versions of a release before they get traffic; reports the result to CodeDeploy, which goes
 * on only after `Succeeded`. A failure is not counted as a metric, because it affected no user.
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
