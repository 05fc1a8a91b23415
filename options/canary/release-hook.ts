import * as v from 'valibot';
import { callAws } from '#shared/core/call-aws.ts';
import { now, pause } from '#shared/core/clock.ts';
import { log } from '#shared/core/telemetry.ts';
import { canarySubject } from './canary.ts';
import { releaseConfig } from './canary-config.ts';
import { type CheckedRelease, checkVersions } from './version-checks.ts';

/** The event that CodeDeploy sends before it shifts traffic to a new version. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** The maximum repeats of a failed check, in four minutes. */
const maxRepeats = 24;

/**
 * Checks the new versions of a release before they get traffic, and reports the result to CodeDeploy, which continues only
 * after `Succeeded`. Each deployment group asks, and each time all versions are checked: they are released together. A
 * failure is not counted in the canary's metric, because it affected no user.
 */
export async function checkRelease({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const status = (await passesInTime()) ? 'Succeeded' : 'Failed';
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

/**
 * IAM may take minutes until all of AWS knows the policies that a release brings, so a failed check is repeated for as long
 * (IAM user guide, "Changes that I make are not always immediately visible").
 */
async function passesInTime(): Promise<boolean> {
  const { checkSeconds, versionsParameter, functionArns, ...config } = releaseConfig();
  const release = { ...config, versions: await readVersions(versionsParameter, functionArns) };
  const endsAt = now().getTime() + checkSeconds * 1000;
  const pauseMilliseconds = (checkSeconds * 1000) / maxRepeats;
  for (let attempt = 1; ; attempt++) {
    const error = await check(release).catch((thrown: Error) => thrown);
    if (error === undefined) return true;
    const details = { attempt, versions: release.versions, error };
    if (now().getTime() + pauseMilliseconds > endsAt) {
      log.error('The new versions have failed', details);
      return false;
    }
    log.warn('The new versions have failed and are checked again', details);
    await pause(pauseMilliseconds);
  }
}

const parameterSchema = v.object({ Parameter: v.object({ Value: v.string() }) });
const versionsSchema = v.record(v.string(), v.pipe(v.string(), v.regex(/^[\w-]+:\w+$/)));

/** The ARNs of the versions by the names of their functions, from a parameter with the end of each ARN. */
async function readVersions(name: string, functionArns: string): Promise<CheckedRelease['versions']> {
  const { body } = await callAws({
    service: 'ssm',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' },
    body: JSON.stringify({ Name: name }),
  });
  const { Parameter } = v.parse(parameterSchema, JSON.parse(body));
  const ends = v.parse(versionsSchema, JSON.parse(Parameter.Value));
  return Object.fromEntries(Object.entries(ends).map(([fn, end]) => [fn, `${functionArns}${end}`]));
}

async function check(release: Omit<CheckedRelease, 'subject'>): Promise<undefined> {
  await checkVersions({ ...release, subject: await canarySubject() });
}
