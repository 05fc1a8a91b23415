import { join } from 'node:path';
import * as v from 'valibot';
import { ask, type ProofContext } from './proof-step.ts';
import { runCommand } from './run-command.ts';

/** Marks a stack that a run has deployed, which a later run may change and remove. */
export const proofTag = { key: 'deployed-by', value: 'npm-run-prove' } as const;

/** Releases as in staging; without a dashboard, whose bucket would stay. */
const settings = { release: 'canary', canary: 'on', dashboard: 'none' };
const dataSettingsSchema = v.object({ table: v.string(), rootKeys: v.array(v.string()) });

/** The table and the root keys that the deployed stack uses, which a deployment must keep. */
export async function deployedData({ account }: ProofContext): Promise<v.InferOutput<typeof dataSettingsSchema>> {
  return v.parse(dataSettingsSchema, JSON.parse(await account.output('DataSettings')));
}

/**
 * Deploys the stage, with its deployed table and root keys unless they are given; returns the seconds that it took.
 */
export async function deploy(
  context: ProofContext,
  changes: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<number> {
  const startedAt = Date.now();
  const command = ['npm', 'run', 'deploy', '--', ...(await contextOptions(context, changes)), ...options];
  await runCommand(context, [...command, ...proofOptions]);
  return secondsSince(startedAt);
}

/** Deploys a version of `get-access` that throws, with everything else as it is; throws unless the deployment succeeds. */
export async function deployBroken(
  context: ProofContext,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const app = `node --disable-warning=ExperimentalWarning ${join(import.meta.dirname, 'broken-app.ts')}`;
  const command = ['npx', '--no-install', 'cdk', 'deploy', '--app', app, '--output', 'cdk.out/prove'];
  await runCommand(context, [...command, ...(await contextOptions(context, changes)), ...proofOptions]);
}

const proofOptions = ['--require-approval', 'never', '--tags', `${proofTag.key}=${proofTag.value}`];

async function contextOptions(context: ProofContext, changes: Readonly<Record<string, string>>): Promise<string[]> {
  const isDeployed = (await context.account.findStack())?.Outputs?.length;
  const data = isDeployed ? await deployedData(context) : undefined;
  const all = {
    stage: context.stage.name,
    ...settings,
    ...(data !== undefined && { rootKeys: data.rootKeys.join() }),
    ...(data !== undefined && data.table !== 'own' && { tableStreamArn: data.table }),
    ...changes,
  };
  return [...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...context.deployOptions];
}

/** The addresses of both APIs: those of the environment, for a proxy in between, or the outputs of the stack. */
export async function addresses({ account }: ProofContext): Promise<{ readonly api: string; readonly manage: string }> {
  const { API_URL, MANAGE_URL } = process.env;
  const origin = async (given: string | undefined, name: string) =>
    (given || (await account.output(name))).replace(/\/$/, '');
  return { api: await origin(API_URL, 'ApiUrl'), manage: await origin(MANAGE_URL, 'ManageUrl') };
}

/** Runs the smoke test; returns its last line but the clean-up. */
export async function smokeTest(context: ProofContext): Promise<string> {
  const { api, manage } = await addresses(context);
  const output = await runCommand(context, ['npm', 'run', '-s', 'smoke'], { API_URL: api, MANAGE_URL: manage });
  return output.match(/^\d+ checks in .*$/m)?.[0] ?? 'no summary';
}

/** Runs a command of the CLI and returns what it prints as JSON. */
export async function manage(
  context: ProofContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { manage: url } = await addresses(context);
  const command = ['npm', 'run', '-s', 'manage', '--', ...args, '--json'];
  return JSON.parse(await runCommand(context, command, { AUTH_SERVICE_URL: url, ...env }));
}

/**
 * Throws unless the Management API answers after an update of the stack. An emulation that recreates changed functions can
 * lose the one behind the function URL: then no later step is possible there.
 */
export async function requireAnswer(context: ProofContext): Promise<void> {
  await ask(context, 'the Management API, after an update of the stack,', () => manage(context, ['whoami']));
}

export function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / 1000);
}
