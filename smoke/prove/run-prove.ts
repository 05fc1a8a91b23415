import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stages } from '../../lib/settings/stages.ts';
import { type AwsAccount, openAccount } from './aws-account.ts';
import { createEvidence, type EvidenceHead, summarize, withoutSecrets, writeEvidence } from './evidence.ts';
import { planLines, refusalOf, selectSteps } from './plan.ts';
import type { ProofContext, ProofStep } from './proof-step.ts';
import { byHand, proofSteps } from './proof-steps.ts';
import { runSteps, type StepResult } from './run-steps.ts';
import { proofTag } from './stage-deployment.ts';

const help = `Proves in an account of AWS what the tests cannot: deploys a stage, tries each assumption of
docs/operate/unproven.md, and removes the stage again. Takes an estimated three to six hours, most of
which AWS needs for releases and a restore, and costs an estimated few dollars. Use an account of its own.

  npm run prove -- --stage dev [options] [-- <options of npm run deploy>]

  --stage <name>       dev or staging
  --dry-run            print the plan, and do nothing
  --only <step>        only this step; may be repeated
  --from <step>        this step and those behind it, after a run that ended early
  --out <folder>       where the evidence and the log are written; default .local
  --accept-data-loss   also run in a stage that keeps data, or that something else has deployed
  --help               show this help

Uses the credentials and the Region of the environment, which must be those of an administrator, in an
account that npm run bootstrap has prepared for the stage. A failure does not stop the steps that do not
depend on it, but the stack then stays. Ctrl-C ends the run, and says what remains deployed. With
AWS_ENDPOINT_URL it rehearses the steps: nothing is then proven, and what the emulation lacks is not
available.

Exit code: 0 all steps passed, 1 a step failed, 2 wrong options and nothing done, 3 nothing failed but
something was not available or only rehearsed, 130 interrupted.`;

const exitCodes = { passed: 0, failed: 1, wrong: 2, incomplete: 3, interrupted: 130 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const options = readOptions();
    if (options.help) return say(help);
    const steps = selectSteps(proofSteps, options);
    if (options.isDryRun) return say(planLines(steps, byHand).join('\n'));
    return await prove(steps, options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return exitCodes.wrong;
  }
}

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      out: { type: 'string', default: '.local' },
      'accept-data-loss': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const stage = Object.values(stages).find(({ name }) => name === values.stage);
  if (stage === undefined && !values.help) {
    throw new Error(`Pass --stage with ${Object.keys(stages).join(', ')}: see npm run prove -- --help`);
  }
  return {
    stage: stage ?? stages.dev,
    isDryRun: values['dry-run'],
    only: values.only,
    from: values.from,
    out: values.out,
    acceptsDataLoss: values['accept-data-loss'],
    help: values.help,
    deployOptions: positionals,
  };
}

async function prove(steps: readonly ProofStep[], options: Options): Promise<number> {
  const { stage, out, deployOptions } = options;
  const account = openAccount(stage.stackName);
  const started = new Date();
  const head = await describeRun(account, stage.name, started);
  await requireConsent(account, options);
  mkdirSync(out, { recursive: true });
  const name = join(out, `prove-${stage.name}-${started.toISOString().slice(0, 19).replace(/\W/g, '')}Z`);
  const [evidenceFile, logFile] = [`${name}.json`, `${name}.log`];
  const keep = (results: readonly StepResult[]) =>
    writeEvidence(evidenceFile, createEvidence(head, results, byHand, new Date()));
  const log = (text: string) => appendFileSync(logFile, withoutSecrets(text), { mode: 0o600 });
  const print = (line: string) => {
    console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
    log(`${line}\n`);
  };
  print(
    `${stage.stackName} in ${head.account}, ${head.region}${head.endpoint === null ? '' : `, emulated by ${head.endpoint}`}: ${steps.length} steps, log ${logFile}`,
  );
  const signal = interruptible(print);
  const contextOf = (of: AbortSignal): ProofContext => ({
    stage,
    account,
    isEmulated: head.endpoint !== null,
    deployOptions,
    signal: of,
    print,
    log,
  });
  const results = await runSteps(steps, { contextOf, signal, print, keep });
  print(`${describeSummary(results)}. Evidence: ${evidenceFile}`);
  print(await describeRemains(account, options));
  return exitCodeOf(results, signal);
}

async function describeRun(account: AwsAccount, stage: string, started: Date): Promise<EvidenceHead> {
  return {
    command: ['npm run prove --', ...process.argv.slice(2)].join(' '),
    stage,
    account: (await account.caller()).account,
    region: await account.region(),
    endpoint: process.env.AWS_ENDPOINT_URL ?? null,
    version: readVersion(),
    startedAt: started.toISOString(),
  };
}

/** `null` outside a checkout, or without Git. */
function readVersion(): EvidenceHead['version'] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return { commit: git('rev-parse', 'HEAD'), isChanged: git('status', '--porcelain') !== '' };
  } catch {
    return null;
  }
}

async function requireConsent(account: AwsAccount, { stage, acceptsDataLoss }: Options): Promise<void> {
  const stack = await account.findStack();
  const isOwn = stack?.Tags?.some(({ Key, Value }) => Key === proofTag.key && Value === proofTag.value) ?? false;
  const refusal = refusalOf({ ...stage, isDeployed: stack !== undefined, isOwn });
  if (refusal !== undefined && !acceptsDataLoss) throw new Error(refusal);
}

/** The first signal ends the run after the clean-up of its step. */
function interruptible(print: (line: string) => void): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      print('Interrupted: cleaning up after the current step. A second signal ends this at once');
      interruption.abort(new Error('interrupted'));
    });
  }
  return interruption.signal;
}

function describeSummary(results: readonly StepResult[]): string {
  return Object.entries(summarize(results))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

/** What the run leaves in the account, and how to end it. */
async function describeRemains(account: AwsAccount, { stage, acceptsDataLoss }: Options): Promise<string> {
  try {
    const stack = await account.findStack();
    if (stack === undefined) return `Nothing remains: the stack ${stage.stackName} is not deployed`;
    const end = `npm run prove -- --stage ${stage.name} --only end${acceptsDataLoss ? ' --accept-data-loss' : ''}`;
    return `The stack ${stage.stackName} (${stack.StackStatus}) remains deployed. Remove it, when it is complete: ${end}`;
  } catch (error) {
    return `Whether the stack ${stage.stackName} remains deployed is unknown: ${(error as Error).message}`;
  }
}

function exitCodeOf(results: readonly StepResult[], signal: AbortSignal): number {
  if (signal.aborted) return exitCodes.interrupted;
  if (results.some(({ outcome }) => outcome === 'failed')) return exitCodes.failed;
  return results.every(({ outcome }) => outcome === 'passed') ? exitCodes.passed : exitCodes.incomplete;
}

function say(text: string): number {
  console.log(text);
  return exitCodes.passed;
}
