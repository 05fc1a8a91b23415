import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { writeWhole } from '#shared/files/whole-file.ts';
import { notSent } from '../terminal/cli-error.ts';
import { commandLine } from '../terminal/command-line.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The name of the local run, which has no entry. */
export const localName = 'local';

export const deploymentNameSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be 1–40 lower-case letters, digits or hyphens, starting with a letter'),
  v.check((name) => name !== localName, `must not be ${localName}, which is the local run`),
);

// Strict: an unknown entry, such as a secret, is reported instead of ignored.
const deploymentSchema = v.strictObject({
  url: v.string(),
  region: v.optional(v.string()),
  profile: v.optional(v.string()),
});
/** The settings for calling a deployment, none of them secret. */
export type Deployment = v.InferOutput<typeof deploymentSchema>;

const deploymentsSchema = v.strictObject({
  current: v.optional(v.string()),
  deployments: v.optional(v.record(deploymentNameSchema, deploymentSchema), {}),
});
/** The deployments by name, and the one chosen with `auth-service use`. */
export type Deployments = v.InferOutput<typeof deploymentsSchema>;

/** The path of the file with the deployments; undefined without a home directory. */
export function deploymentsFile(env: NodeJS.ProcessEnv): string | undefined {
  const { AUTH_SERVICE_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg } = env;
  const home = env.HOME || env.USERPROFILE;
  const folder = own || (xdg ? join(xdg, 'auth-service') : home && join(home, '.config/auth-service'));
  return folder ? join(folder, 'config.json') : undefined;
}

/** Reads the deployments; none without a file. */
export function readDeployments(env: NodeJS.ProcessEnv): Deployments {
  const file = deploymentsFile(env);
  const text = file === undefined ? undefined : readText(file);
  if (text === undefined) return { deployments: {} };
  const { success, output, issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), deploymentsSchema), text);
  if (success) return output;
  const where = v.getDotPath(issues[0]);
  throw notSent(`${file} cannot be read: ${where === null ? '' : `${where}: `}${issues[0].message}`);
}

/** Replaces the file atomically, readable only by its owner. */
export function writeDeployments(env: NodeJS.ProcessEnv, deployments: Deployments): void {
  const file = deploymentsFile(env);
  if (file === undefined) throw notSent('There is no home directory. Set AUTH_SERVICE_CONFIG_DIR to a folder.');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, `${JSON.stringify(deployments, null, 2)}\n`);
  } catch (cause) {
    throw notSent(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`);
  }
}

/** The deployment with a name; throws an error that lists the known names and their file. */
export function requireDeployment(
  { deployments }: Deployments,
  name: string,
  { env, program }: Pick<Terminal, 'env' | 'program'>,
): Deployment {
  const found = Object.hasOwn(deployments, name) ? deployments[name] : undefined;
  if (found !== undefined) return found;
  throw notSent(`There is no deployment ${name}. Known names: ${namesOf({ deployments }).join(', ')}.`, [
    `The names are in ${deploymentsFile(env) ?? 'no file: there is no home directory'}.`,
    `To add one: ${helpToAdd(program)}`,
  ]);
}

/** The command that says how to add a deployment. */
export function helpToAdd(program: string): string {
  return commandLine(program, ['deployments', 'add', '--help']);
}

/** The names of all deployments, then that of the local run. */
export function namesOf({ deployments }: Deployments): string[] {
  return [...Object.keys(deployments), localName];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notSent(`${file} cannot be read: ${(error as Error).message}`);
  }
}
