import { type Facts, NotAvailable, type ProofContext, type ProofStep } from './proof-step.ts';

/**
 * `rehearsed`: it ran as expected in an emulation, which proves nothing. `not-available`: the place lacks what it tries.
 * `left-out`: it did not run, because an earlier step failed or the run was interrupted.
 */
export type Outcome = 'passed' | 'failed' | 'rehearsed' | 'not-available' | 'left-out';

export interface StepResult {
  readonly name: string;
  readonly proves: readonly string[];
  readonly outcome: Outcome;
  readonly startedAt: string;
  readonly seconds: number;
  /** Why it is not `passed`. */
  readonly reason?: string;
  readonly facts?: Facts;
  /** Why something that it created may remain. */
  readonly cleanUpFailed?: string;
}

/** What a run needs besides its steps; `contextOf` gives a step its context with its own signal. */
export interface StepRunner {
  readonly contextOf: (signal: AbortSignal) => ProofContext;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** Called after each step, so that the evidence of a killed run is kept. */
  readonly keep: (results: readonly StepResult[]) => void;
}

/** The step that removes everything; it is left out after a failure, so that the failure can be examined. */
export const lastStep = 'end';
const cleanUpMinutes = 30;

/** Runs the steps one after another. A failure leaves out the rest only if the step is needed. */
export async function runSteps(steps: readonly ProofStep[], runner: StepRunner): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const [at, step] of steps.entries()) {
    const reason = reasonToLeaveOut(step, steps, results, runner.signal);
    if (reason === undefined) {
      runner.print(`${at + 1}/${steps.length} ${step.name}: ${step.title} (at most ${step.timeoutMinutes} min)`);
    }
    const result = reason === undefined ? await runStep(step, runner) : leftOut(step, reason);
    results.push(result);
    runner.print(describeResult(result));
    runner.keep(results);
  }
  return results;
}

/** One line: the outcome, the duration, and what was seen or why not. */
export function describeResult({ name, outcome, seconds, reason, facts = {} }: StepResult): string {
  const seen = Object.entries(facts).map(
    ([fact, value]) => `${fact} ${Array.isArray(value) ? value.join(', ') : value}`,
  );
  return `${words[outcome].padEnd(13)} ${seconds.toFixed(1).padStart(7)} s  ${[name, reason, ...seen].filter(Boolean).join(': ')}`;
}

const words: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  rehearsed: 'rehearsed',
  'not-available': 'not available',
  'left-out': 'left out',
};

function reasonToLeaveOut(
  { name }: ProofStep,
  steps: readonly ProofStep[],
  results: readonly StepResult[],
  signal: AbortSignal,
): string | undefined {
  if (signal.aborted) return 'the run was interrupted';
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const needed = failed.find((result) => steps.find((step) => step.name === result.name)?.isNeeded);
  if (needed !== undefined) return `${needed.name} failed`;
  const [first] = failed;
  if (name === lastStep && first !== undefined) return `${first.name} failed, so the stack stays to be examined`;
  return undefined;
}

async function runStep(step: ProofStep, runner: StepRunner): Promise<StepResult> {
  const started = new Date();
  const attempt = await tryStep(step, runner);
  const cleanUpFailed = await cleanUpAfter(step, runner);
  return {
    name: step.name,
    proves: step.proves,
    ...attempt,
    startedAt: started.toISOString(),
    seconds: (Date.now() - started.getTime()) / 1000,
    ...(cleanUpFailed !== undefined && { cleanUpFailed }),
  };
}

async function tryStep(step: ProofStep, runner: StepRunner): Promise<Pick<StepResult, 'outcome' | 'reason' | 'facts'>> {
  const timeout = AbortSignal.timeout(step.timeoutMinutes * 60_000);
  const context = runner.contextOf(AbortSignal.any([runner.signal, timeout]));
  try {
    const facts = await step.run(context);
    return context.isEmulated
      ? { outcome: 'rehearsed', reason: `proves nothing, because this emulation lacks ${step.emulationLacks}`, facts }
      : { outcome: 'passed', facts };
  } catch (error) {
    if (error instanceof NotAvailable)
      return { outcome: 'not-available', reason: `${placeOf(context)}: ${error.message}` };
    if (runner.signal.aborted) return { outcome: 'failed', reason: 'interrupted' };
    if (timeout.aborted) return { outcome: 'failed', reason: `not done within ${step.timeoutMinutes} minutes` };
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function placeOf({ isEmulated }: ProofContext): string {
  return isEmulated ? 'not available in this emulation' : 'not available here';
}

/** Also after an interruption, hence with a signal of its own. */
async function cleanUpAfter(
  { name, cleanUp }: ProofStep,
  { contextOf, print }: StepRunner,
): Promise<string | undefined> {
  try {
    await cleanUp?.(contextOf(AbortSignal.timeout(cleanUpMinutes * 60_000)));
    return undefined;
  } catch (error) {
    // What the place lacks, it cannot have created.
    if (error instanceof NotAvailable) return undefined;
    const text = error instanceof Error ? error.message : String(error);
    print(`The clean-up of ${name} failed: ${text}`);
    return text;
  }
}

function leftOut({ name, proves }: ProofStep, reason: string): StepResult {
  return { name, proves, outcome: 'left-out', startedAt: new Date().toISOString(), seconds: 0, reason };
}
