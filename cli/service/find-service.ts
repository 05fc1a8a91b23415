import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AwsCredentialProvider } from '#client/management/credential-provider.ts';
import { regionOfFunctionUrl } from '#client/management/function-url-region.ts';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type ChosenProfile, defaultChain } from './aws-credentials.ts';
import { type Deployment, helpToAdd, localName, readDeployments, requireDeployment } from './deployments.ts';

/** The name of a service and the setting that chose it, for messages. */
export interface ServiceOrigin {
  /** `local` for the local run; `null` for a URL without a name. */
  readonly name: string | null;
  /** The setting that chose the service, such as `--url`. */
  readonly chosenBy: string;
}

/** The Management API to call, and the credentials to sign with. */
export interface Service extends ServiceOrigin {
  /** The origin, without a trailing slash. */
  readonly url: string;
  readonly region: string;
  /** Called before each signature; the provider caches and renews them. */
  readonly credentials: AwsCredentialProvider;
}

export interface ServiceOptions {
  readonly deployment?: string;
  readonly url?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** The environment and the folder in which the service is looked up, and the name of the program for errors. */
export type ServiceCaller = Pick<Terminal, 'env' | 'cwd' | 'program'>;

/** The fields of `.local/example.json`, which `npm start` writes, that the CLI uses. */
interface LocalRun {
  readonly manageUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The service chosen by the options, the environment or `auth-service use`, in this order, otherwise the local run of
 * `npm start`, whose folder is `.local` or in AUTH_SERVICE_LOCAL. The local key pair is used only for the local run.
 */
export function findService(options: ServiceOptions, caller: ServiceCaller): Service {
  const { env } = caller;
  const file = join(resolve(caller.cwd(), env.AUTH_SERVICE_LOCAL || '.local'), 'example.json');
  const chosen = chooseService(options, caller);
  const local = readLocalRun(file);
  const named = chosen?.url ?? local?.manageUrl;
  if (named === undefined) throw noService(file, caller.program);
  const url = readUrl(named);
  const origin = { name: chosen?.name ?? null, chosenBy: chosen?.chosenBy ?? 'npm start' };
  if (local !== undefined && url === readUrl(local.manageUrl)) return localService(url, local, origin);
  const region = readRegion(url, options.region ?? chosen?.region, env);
  return { url, region, credentials: defaultChain(chooseProfile(options, chosen, env)), ...origin };
}

/** The service in messages: `prod, https://…`. */
export function describeService({ name, url }: Pick<Service, 'name' | 'url'>): string {
  return name === null ? url : `${name}, ${url}`;
}

/** The first of these settings that is present; undefined for the local run. */
function chooseService(options: ServiceOptions, caller: ServiceCaller): ChosenService | undefined {
  const { env } = caller;
  const { url, deployment } = options;
  const { AUTH_SERVICE_URL: urlOfEnv, AUTH_SERVICE_DEPLOYMENT: deploymentOfEnv } = env;
  if (url !== undefined && deployment !== undefined) throw notSent('Pass either --url or --deployment, not both.');
  if (url !== undefined) return { url, name: null, chosenBy: '--url' };
  if (deployment !== undefined) return deploymentNamed(deployment, caller, '--deployment');
  if (urlOfEnv) return { url: urlOfEnv, name: null, chosenBy: 'AUTH_SERVICE_URL' };
  if (deploymentOfEnv) return deploymentNamed(deploymentOfEnv, caller, 'AUTH_SERVICE_DEPLOYMENT');
  return deploymentNamed(readDeployments(env).current ?? localName, caller, 'auth-service use');
}

/** The AWS profile and the setting that names it; undefined for the default one. */
function chooseProfile(
  options: ServiceOptions,
  chosen: ChosenService | undefined,
  env: NodeJS.ProcessEnv,
): ChosenProfile | undefined {
  if (options.profile) return { name: options.profile, chosenBy: '--profile' };
  if (chosen?.profile) return { name: chosen.profile, chosenBy: `the deployment ${chosen.name}` };
  return env.AWS_PROFILE ? { name: env.AWS_PROFILE, chosenBy: 'AWS_PROFILE' } : undefined;
}

interface ChosenService extends Deployment, ServiceOrigin {}

function deploymentNamed(name: string, caller: ServiceCaller, chosenBy: string): ChosenService | undefined {
  if (name === localName) return undefined;
  return { ...requireDeployment(readDeployments(caller.env), name, caller), name, chosenBy };
}

function localService(url: string, { region, accessKeyId, secretAccessKey }: LocalRun, origin: ServiceOrigin): Service {
  const name = origin.name ?? localName;
  return { url, region, credentials: async () => ({ accessKeyId, secretAccessKey }), ...origin, name };
}

/**
 * Undefined if the file is missing or incomplete. A URL on another machine is ignored too: a planted file must not redirect
 * operators.
 */
function readLocalRun(file: string): LocalRun | undefined {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalRun>;
    const { manageUrl, region, accessKeyId, secretAccessKey } = run;
    if (!manageUrl || !region || !accessKeyId || !secretAccessKey) return undefined;
    if (!isLoopback(parseUrl(manageUrl))) return undefined;
    return { manageUrl, region, accessKeyId, secretAccessKey };
  } catch {
    return undefined;
  }
}

function noService(file: string, program: string): CliError {
  return notSent('No service is configured.', [
    'Pass --url or set AUTH_SERVICE_URL to the function URL of a deployment (the stack output ManageUrl),',
    `or "npm start" a local service (there is no ${file}).`,
    `To give a deployment a name: ${helpToAdd(program)}`,
  ]);
}

/** The origin of a Management API's URL; throws for a URL that would send credentials unencrypted or to another host. */
export function readUrl(text: string): string {
  const url = parseUrl(text);
  const isSecure = url?.protocol === 'https:' || isLoopback(url);
  if (url === null || !isSecure || url.username !== '' || url.search !== '') {
    throw notSent(
      `The URL must be like https://….lambda-url.eu-central-1.on.aws (http only on this machine), not ${text}`,
    );
  }
  if (!/^\/(?:api\/manage\/?)?$/.test(url.pathname)) throw notSent(`The URL must have no path, not ${url.pathname}`);
  return url.origin;
}

/** Node 20 has no `URL.parse`. */
function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function isLoopback(url: URL | null): boolean {
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}

/** The host of a function URL contains its region, which may differ from that of the environment. */
function readRegion(url: string, region: string | undefined, env: NodeJS.ProcessEnv): string {
  const found = region ?? regionOfFunctionUrl(url) ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION);
  if (found) return found;
  throw notSent(`The region of ${url} is unknown. Pass --region, or set AWS_REGION.`);
}
