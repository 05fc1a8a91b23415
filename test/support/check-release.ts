import type { GuardedStack } from './guarded-stack.ts';
import { releaseChecks } from './platform-touches.ts';

/** Runs the hook as CodeDeploy does; returns what it reports, and the warnings and errors that it logs. */
export async function checkRelease(stack: GuardedStack, assembly: string) {
  const [reports, lines] = [stack.releases.length, stack.logLines.length];
  const event = { DeploymentId: releaseChecks(assembly)[0]?.group, LifecycleEventHookExecutionId: 'execution' };
  const outcome = await stack.invoke('check-release', event);
  const reported = stack.releases.slice(reports).map((report) => Object(report).status);
  const logged = stack.logLines.slice(lines).filter((line) => line.includes('The new versions have failed'));
  return { outcome: outcome.kind, reported, logged };
}
