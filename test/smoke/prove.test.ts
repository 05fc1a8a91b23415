import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { planLines, refusalOf, selectSteps } from '../../smoke/prove/plan.ts';
import { byHand, proofSteps } from '../../smoke/prove/proof-steps.ts';
import { bareEnvironment } from '../support/environments.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/operate/unproven.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasGit = spawnSync('git', ['--version']).status === 0;

describe('the page of what is unproven', () => {
  const rows = page.split('\n').filter((line) => /^\| .*`[a-z-]+` +\|$/.test(line));
  const ids = rows.map((row) => row.match(/`([a-z-]+)` +\|$/)?.[1] ?? '');

  test('has an id in each row, which no other row has', () => {
    expect(page.split('\n').filter((line) => line.startsWith('|')).length - 2).toBe(rows.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('each row has exactly one step, or a reason why only a person can show it', () => {
    const tried = [...proofSteps.flatMap(({ proves }) => proves), ...Object.keys(byHand)];
    expect(tried.toSorted()).toEqual(ids.toSorted());
  });

  test('every step proves something, but the one that deploys', () => {
    expect(proofSteps.filter(({ proves }) => proves.length === 0).map(({ name }) => name)).toEqual(['deploy']);
  });
});

describe('the plan', () => {
  test('has the steps in their order, the first deploys and the last removes', () => {
    const names = selectSteps(proofSteps, { only: [], from: undefined }).map(({ name }) => name);
    expect([names[0], names.at(-1)]).toEqual(['deploy', 'end']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('runs only the named steps, or those from one on', () => {
    const named = (only: string[], from?: string) => selectSteps(proofSteps, { only, from }).map(({ name }) => name);
    expect(named(['end', 'smoke'])).toEqual(['smoke', 'end']);
    expect(named([], 'roots')).toEqual(['roots', 'end']);
    expect(() => named(['smok'])).toThrow('There is no step smok. The steps are deploy, resource-names, smoke, ');
    expect(() => named([], 'smok')).toThrow('There is no step smok');
    expect(() => named(['smoke'], 'roots')).toThrow('Pass either --only or --from, not both');
  });

  test('says for each step what it does, expects and proves, and what is left to a person', () => {
    const plan = planLines(proofSteps, byHand).join('\n');
    for (const { name, title, proves, commands, expects } of proofSteps) {
      for (const part of [`${name}: ${title}`, expects, proves.join(', '), ...commands]) expect(plan).toContain(part);
    }
    for (const id of Object.keys(byHand)) expect(plan).toContain(`  ${id}: `);
  });
});

describe('a stage with data', () => {
  const dev = { stackName: 'AuthService-dev', keepsData: false, isDeployed: false, isOwn: false };

  test('is refused if it keeps its data, or if something else has deployed it', () => {
    expect(refusalOf({ ...dev, keepsData: true })).toMatch('keeps data: choose the stage dev or staging');
    expect(refusalOf({ ...dev, isDeployed: true })).toMatch('exists, and was not deployed by npm run prove');
  });

  test('is accepted if it does not exist, or if an earlier run has deployed it', () => {
    expect(refusalOf(dev)).toBeUndefined();
    expect(refusalOf({ ...dev, isDeployed: true, isOwn: true })).toBeUndefined();
  });
});

const ownStack =
  '<Stacks><member><StackName>AuthService-dev</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><Tags><member><Key>deployed-by</Key><Value>npm-run-prove</Value></member></Tags></member></Stacks>';

describe('npm run prove', () => {
  test('prints its help and its plan without an account', async () => {
    expect(await prove('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--accept-data-loss') });
    const { code, stdout } = await prove('--stage', 'dev', '--dry-run', '--only', 'smoke');
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'smoke: call every operation, under the policies of the functions (at most 10 min)',
    ]);
  });

  test.each([
    [[], 'Pass --stage with dev, staging, prod'],
    [['--stage', 'test'], 'Pass --stage with dev, staging, prod'],
    [['--stage', 'dev', '--only', 'nothing', '--dry-run'], 'There is no step nothing'],
    [['--stage', 'dev', '--evidence'], "Unknown option '--evidence'"],
  ])('with %j does nothing and exits with 2', async (args, error) => {
    expect(await prove(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(error) });
  });

  test('does nothing in prod, or in a stack that something else has deployed', async () => {
    const cloud = await startCloud('<Stacks><member><StackName>AuthService-dev</StackName></member></Stacks>');
    try {
      for (const [stage, reason] of [
        ['prod', 'AuthService-prod keeps data'],
        ['dev', 'AuthService-dev exists, and was not deployed by npm run prove'],
      ] as const) {
        const { code, stderr } = await prove('--stage', stage, '--out', folder, cloud.url);
        expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
      }
      expect(readdirSync(folder)).toEqual([]);
      expect(new Set(cloud.actions)).toEqual(new Set(['GetCallerIdentity', 'DescribeStacks']));
    } finally {
      cloud.stop();
    }
  });

  test('says after a failure what was seen and what remains, in a file with its date', async () => {
    const cloud = await startCloud(ownStack);
    try {
      const { code, stdout } = await prove('--stage', 'dev', '--only', 'index-units', '--out', folder, cloud.url);
      expect(code).toBe(1);
      expect(stdout).toMatch('The stack AuthService-dev (UPDATE_COMPLETE) remains deployed. Remove it, when it is');
      const [evidence = ''] = readdirSync(folder).filter((name) => /^prove-dev-\d{8}T\d{6}Z\.json$/.test(name));
      expect(JSON.parse(readFileSync(join(folder, evidence), 'utf8'))).toMatchObject({
        stage: 'dev',
        account: '111122223333',
        region: 'eu-central-1',
        endpoint: cloud.url,
        version: hasGit ? { commit: expect.stringMatching(/^[0-9a-f]{40}$/) } : null,
        assumptions: { 'index-units': 'failed', throttling: expect.stringMatching(/^by hand: /) },
        steps: [
          { name: 'index-units', outcome: 'failed', reason: expect.stringContaining('run the step deploy first') },
        ],
      });
    } finally {
      cloud.stop();
    }
  });
});

test('Ctrl-C ends a run with what was seen and what remains', async () => {
  const cloud = await startCloud(ownStack);
  const out = mkdtempSync(join(folder, 'interrupted-'));
  try {
    const running = spawnProve(['--stage', 'dev', '--only', 'index-units', '--out', out], cloud.url);
    const closed = once(running, 'close');
    let stdout = '';
    for await (const part of running.stdout.setEncoding('utf8')) {
      if (!stdout.includes('1/1') && (stdout + part).includes('1/1')) running.kill('SIGINT');
      stdout += part;
    }
    const [code] = await closed;
    expect([code, stdout]).toEqual([130, expect.stringContaining('FAILED')]);
    expect(stdout).toMatch('Interrupted: cleaning up after the current step');
    expect(stdout).toMatch('remains deployed. Remove it, when it is complete: npm run prove -- --stage dev --only end');
    const [evidence = ''] = readdirSync(out).filter((name) => name.endsWith('.json'));
    expect(JSON.parse(readFileSync(join(out, evidence), 'utf8')).steps).toMatchObject([{ reason: 'interrupted' }]);
  } finally {
    cloud.stop();
  }
});

function spawnProve(args: readonly string[], url: string | undefined) {
  const credentials = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-central-1' };
  const env = { ...bareEnvironment, ...credentials, ...(url !== undefined && { AWS_ENDPOINT_URL: url }) };
  const file = join(root, 'smoke/prove/run-prove.ts');
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function prove(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const url = args.find((arg) => arg.startsWith('http'));
  const running = spawnProve(
    args.filter((arg) => arg !== url),
    url,
  );
  const closed = once(running, 'close');
  const [stdout, stderr] = await Promise.all([text(running.stdout), text(running.stderr)]);
  const [code] = await closed;
  return { code, stdout, stderr };
}

/** Answers for CloudFormation and STS, which speak XML. */
async function startCloud(stacks: string) {
  const actions: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const action = new URLSearchParams(body).get('Action') ?? '';
    actions.push(action);
    // Long enough for a signal to arrive in a step.
    if (action === 'DescribeStacks' && actions.length > 2) await new Promise((resolve) => setTimeout(resolve, 500));
    const result = action === 'DescribeStacks' ? stacks : '<Account>111122223333</Account>';
    response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, actions, stop: () => server.close() };
}
