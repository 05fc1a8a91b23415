import { deployStep, endStep } from './deployment-steps.ts';
import { functionUrlStep } from './function-url-step.ts';
import { indexUnitsStep } from './index-units-step.ts';
import { keyPolicyStep } from './key-policy-step.ts';
import { alarmDataStep, eventsStep, eventsStoppedStep, versionMetricsStep } from './metric-steps.ts';
import { keyUseStep, smokeStep } from './permission-steps.ts';
import type { ProofStep } from './proof-step.ts';
import { checkedReleaseStep, watchedReleaseStep } from './release-steps.ts';
import { replayStep } from './replay-step.ts';
import { resourceNamesStep } from './resource-names-step.ts';
import { restoreStep } from './restore-step.ts';
import { rootsStep } from './roots-step.ts';

/** All steps, in the order in which they run. */
export const proofSteps: readonly ProofStep[] = [
  deployStep,
  resourceNamesStep,
  smokeStep,
  keyUseStep,
  functionUrlStep,
  indexUnitsStep,
  versionMetricsStep,
  eventsStep,
  alarmDataStep,
  keyPolicyStep,
  eventsStoppedStep,
  checkedReleaseStep,
  watchedReleaseStep,
  replayStep,
  restoreStep,
  rootsStep,
  endStep,
];

/** The assumptions that no step can prove, by their ids in `docs/operate/unproven.md`, and why. */
export const byHand: Readonly<Record<string, string>> = {
  'retained-resources': 'it takes a prod stage, whose resources stay in the account',
  'imported-data': 'it takes the stack of a prod stage that was removed, whose resources stay in the account',
  'multi-region-keys': 'it takes a stack in a second Region, and a changed primary cannot be changed back by the stack',
  'jwt-authorizer': 'a person logs in, with an authenticator app',
  'backup-copy': 'it takes a second account, and a night',
  'login-trigger': 'it takes a person who chooses a password and logs in',
  'login-costs': 'AWS bills the people of a month, and shows them a day later',
  'login-copy': 'it takes a person who receives invitations by e-mail',
  'login-provider': 'it takes a provider of a company, and a person who logs in there',
  'heads-bucket': 'it takes a second account, and an object that stays until its retention ends',
  'heads-scan': 'it takes a bucket in a second account, to which the function writes',
  'kept-logs': 'it takes a version without one of the log groups',
  'data-guard': 'it takes a deployment that is refused and rolled back',
  'execution-policies': 'it takes a deployment with every setting, such as own domains and a copy in a second Region',
  'query-order': 'only a delay of one request depends on it, which no command can force',
  throttling: 'it takes a load that exceeds the limits of the account, and costs accordingly',
};
