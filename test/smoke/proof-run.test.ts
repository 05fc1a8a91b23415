import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { stages } from '../../lib/settings/stages.ts';
import { openAccount } from '../../smoke/prove/aws-account.ts';
import { createEvidence, withoutSecrets } from '../../smoke/prove/evidence.ts';
import { ask, NotAvailable, type ProofContext, type ProofStep, waitFor } from '../../smoke/prove/proof-step.ts';
import { resourceNamesStep } from '../../smoke/prove/resource-names-step.ts';
import { runCommand } from '../../smoke/prove/run-command.ts';
import { describeResult, runSteps, type StepResult } from '../../smoke/prove/run-steps.ts';
import { eventually } from '../support/eventually.ts';

const context = (isEmulated: boolean, signal: AbortSignal): ProofContext => ({
  stage: stages.dev,
  account: openAccount('AuthService-dev'),
  isEmulated,
  deployOptions: [],
  signal,
  print: () => undefined,
  log: () => undefined,
});

describe('a run of the steps', () => {
  test('says of each step what was seen', async () => {
    const { results } = await run([step('one', async () => ({ version: '7', seconds: 3 })), step('two')]);
    expect(results).toMatchObject([
      { name: 'one', outcome: 'passed', facts: { version: '7', seconds: 3 }, proves: ['of-one'] },
      { name: 'two', outcome: 'passed' },
    ]);
    expect(describeResult(results[0] as StepResult)).toMatch(/^passed +\d\.\d s {2}one: version 7: seconds 3$/);
  });

  test('goes on after a failure, but leaves the stack to be examined', async () => {
    const { results } = await run([step('one', fails), step('two'), step('end')]);
    expect(results).toMatchObject([
      { name: 'one', outcome: 'failed', reason: 'refused' },
      { name: 'two', outcome: 'passed' },
      { name: 'end', outcome: 'left-out', reason: 'one failed, so the stack stays to be examined' },
    ]);
  });

  test('leaves out everything after the failure of a needed step', async () => {
    const { results } = await run([{ ...step('one', fails), isNeeded: true }, step('two'), step('end')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'left-out', 'left-out']);
  });

  test('leaves out everything after an interruption', async () => {
    const interruption = new AbortController();
    const interrupt = async () => {
      interruption.abort(new Error('interrupted'));
      throw new Error('the command was ended');
    };
    const { results } = await run([step('one', interrupt), step('end')], { signal: interruption.signal });
    expect(results).toMatchObject([
      { outcome: 'failed', reason: 'interrupted' },
      { outcome: 'left-out', reason: 'the run was interrupted' },
    ]);
  });

  test('cleans up after a failure and an interruption, with a signal that is not aborted', async () => {
    const interruption = new AbortController();
    const signals: boolean[] = [];
    const cleanUp = async ({ signal }: ProofContext) => void signals.push(signal.aborted);
    const interrupt = async () => {
      interruption.abort();
      return {};
    };
    await run([{ ...step('one', fails), cleanUp }], {});
    await run([{ ...step('one', interrupt), cleanUp }], { signal: interruption.signal });
    expect(signals).toEqual([false, false]);
  });

  test('says what a failed clean-up may have left', async () => {
    const { results, lines } = await run([
      { ...step('one'), cleanUp: async () => Promise.reject(new Error('denied')) },
    ]);
    expect(results).toMatchObject([{ outcome: 'passed', cleanUpFailed: 'denied' }]);
    expect(lines).toContain('The clean-up of one failed: denied');
  });

  test('ends a step whose time is up', async () => {
    const waits = ({ signal }: ProofContext) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { results } = await run([{ ...step('one', waits), timeoutMinutes: 0.001 }]);
    expect(results).toMatchObject([{ outcome: 'failed', reason: 'not done within 0.001 minutes' }]);
  });

  test('keeps the results after each step, so that a killed run has evidence', async () => {
    const { kept } = await run([step('one'), step('two')]);
    expect(kept).toEqual([1, 2]);
  });
});

describe('a command', () => {
  const run = (program: string, signal = new AbortController().signal) => {
    const logged: string[] = [];
    const output = runCommand({ signal, log: (text) => logged.push(text) }, [process.execPath, '-e', program]);
    return { output, logged };
  };

  test('returns its standard output, and logs the command and everything that it prints', async () => {
    const { output, logged } = run("console.log('{}'); console.error('a note')");
    expect(await output).toBe('{}\n');
    expect(logged.join('')).toMatch(/^\$ .* -e /);
    expect(logged.join('')).toContain('a note\n');
  });

  test('that fails says with which error', async () => {
    const { output } = run("console.log('Error: no such setting'); console.log('bye'); process.exit(3)");
    await expect(output).rejects.toThrow(/exit code 3: Error: no such setting$/);
  });

  test('is ended by an interruption, with the processes that it has started', async () => {
    const interruption = new AbortController();
    const child = `require('child_process').spawn(process.execPath, ['-e', 'console.log(process.pid); setTimeout(() => 0, 600000)'], { stdio: 'inherit' })`;
    const { output, logged } = run(child, interruption.signal);
    const printed = await eventually(
      async () => logged.join('').match(/^\d+$/m)?.[0],
      (line) => line !== undefined,
    );
    interruption.abort(new Error('interrupted'));
    await expect(output).rejects.toThrow('interrupted');
    expect(
      await eventually(
        async () => existsSync(`/proc/${printed}`),
        (isThere) => !isThere,
      ),
    ).toBe(false);
  });
});

describe('in an emulation', () => {
  test('nothing is passed: what ran as expected was rehearsed, and the result says what the emulation lacks', async () => {
    const { results } = await run([step('one')], { isEmulated: true });
    expect(results).toMatchObject([
      { outcome: 'rehearsed', reason: 'proves nothing, because this emulation lacks everything' },
    ]);
  });

  test('what it lacks is not available, and no failure', async () => {
    const lacks = async (of: ProofContext) => ask(of, 'ListDeployments', async () => Promise.reject(new Error('405')));
    const emulated = await run([step('one', lacks), step('end')], { isEmulated: true });
    expect(emulated.results).toMatchObject([
      { outcome: 'not-available', reason: 'not available in this emulation: ListDeployments fails: 405' },
      { outcome: 'rehearsed' },
    ]);
    expect((await run([step('one', lacks)])).results).toMatchObject([{ outcome: 'failed', reason: '405' }]);
  });

  test('what never appears is not available; on AWS it is a failure', async () => {
    const wait = (isEmulated: boolean) =>
      waitFor(
        { isEmulated, signal: new AbortController().signal },
        { what: 'an alarm', minutes: 0, every: 0, emulatedSeconds: 0 },
        async () => undefined,
      );
    await expect(wait(true)).rejects.toThrow(NotAvailable);
    await expect(wait(false)).rejects.not.toThrow(NotAvailable);
  });
});

describe('the names of resources', () => {
  const physicalIds: Readonly<Record<string, string>> = {
    'AWS::Lambda::Function': 'AuthService-dev-ManageApi-1A2B',
    'AWS::IAM::Role': 'AuthService-dev-ManageApiRole-1A2B',
    'AWS::DynamoDB::GlobalTable': 'AuthService-dev-Items-1A2B',
    'AWS::SQS::Queue': 'https://sqs.eu-central-1.amazonaws.com/111122223333/AuthService-dev-Failures-1A2B',
    'AWS::SNS::Topic': 'arn:aws:sns:eu-central-1:111122223333:AuthService-dev-Alarms-1A2B',
    'AWS::Logs::LogGroup': 'AuthService-dev-ManageApiLogs-1A2B',
  };
  const compare = (ids: Readonly<Record<string, string>>) => {
    const given = context(false, new AbortController().signal);
    const resources = async (type: string) => {
      const physicalId = ids[type];
      return physicalId === undefined ? [] : [{ logicalId: 'One', physicalId, type }];
    };
    return resourceNamesStep.run({ ...given, account: { ...given.account, resources } });
  };

  test('begin with the name of the stack', async () => {
    expect(await compare(physicalIds)).toEqual({ resources: 6 });
  });

  test.each(Object.keys(physicalIds))('of %s prove nothing if there is none, or another', async (type) => {
    const other = physicalIds[type]?.replace('AuthService-dev', 'AuthService') ?? '';
    await expect(compare({ ...physicalIds, [type]: other })).rejects.toThrow(`other names: ${type} ${other}`);
    const { [type]: _, ...others } = physicalIds;
    await expect(compare(others)).rejects.toThrow(`the stack has no ${type}`);
  });
});

describe('the evidence', () => {
  const head = {
    command: 'npm run prove -- --stage dev',
    stage: 'dev',
    account: '111122223333',
    region: 'eu-central-1',
    endpoint: null,
    version: { commit: '0'.repeat(40), isChanged: false },
    startedAt: '2026-11-24T12:00:00.000Z',
  };

  test('says of each assumption what became of its step, and which are shown by hand', async () => {
    const { results } = await run([step('one'), step('two', fails)]);
    const evidence = createEvidence(head, results, { 'of-a-person': 'a person logs in' }, new Date(0));
    expect(evidence).toMatchObject({
      account: '111122223333',
      version: { isChanged: false },
      summary: { passed: 1, failed: 1 },
      assumptions: { 'of-one': 'passed', 'of-two': 'failed', 'of-a-person': 'by hand: a person logs in' },
    });
  });

  test('contains no secret, even if the message of an error does', () => {
    const key = `svs_${'Ab3-_'.repeat(8)}abc`;
    process.env.AWS_SECRET_ACCESS_KEY = 'secret/of+the+administrator/0000000000000';
    try {
      const text = withoutSecrets(`refused: ${key}, signed with ${process.env.AWS_SECRET_ACCESS_KEY}`);
      expect(text).toBe('refused: (removed), signed with (removed)');
    } finally {
      delete process.env.AWS_SECRET_ACCESS_KEY;
    }
  });
});

async function fails(): Promise<never> {
  throw new Error('refused');
}

function step(name: string, run: ProofStep['run'] = async () => ({})): ProofStep {
  return {
    name,
    title: `try ${name}`,
    proves: [`of-${name}`],
    commands: [],
    expects: 'nothing',
    timeoutMinutes: 1,
    emulationLacks: 'everything',
    run,
  };
}

async function run(
  steps: readonly ProofStep[],
  { isEmulated = false, signal = new AbortController().signal }: { isEmulated?: boolean; signal?: AbortSignal } = {},
) {
  const [lines, kept]: [string[], number[]] = [[], []];
  const results = await runSteps(steps, {
    contextOf: (of) => context(isEmulated, of),
    signal,
    print: (line) => lines.push(line),
    keep: (done) => kept.push(done.length),
  });
  return { results, lines, kept };
}
