import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliError, notSent } from './cli-error.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where the Management API answers, and by whose name requests are signed. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly region: string;
  /** Asked before each signature; whoever makes them keeps and renews them. */
  readonly credentials: () => Promise<AwsCredentials>;
}

export interface ServiceOptions {
  readonly url?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** What `npm start` leaves in `.local/example.json` for this and other programs. */
interface LocalRun {
  readonly manageUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The service that the options or the environment name, else the one that `npm start` runs; a local key pair goes nowhere else. */
export function findService(options: ServiceOptions, env: NodeJS.ProcessEnv, folder: string): Service {
  const named = options.url ?? (env.AUTH_SERVICE_URL || undefined);
  const local = readLocalRun(folder);
  if (named === undefined && local === undefined) throw noService(folder);
  const url = readUrl(named ?? local?.manageUrl ?? '');
  if (local !== undefined && url === readUrl(local.manageUrl)) return localService(url, local);
  return { url, region: readRegion(url, options, env), credentials: defaultChain(options.profile) };
}

function localService(url: string, { region, accessKeyId, secretAccessKey }: LocalRun): Service {
  return { url, region, credentials: async () => ({ accessKeyId, secretAccessKey }) };
}

/**
 * A file that is missing, of an earlier version or being written is as good as none, and so is one that somebody has put
 * here to send operators elsewhere: a local run is on this machine.
 */
function readLocalRun(folder: string): LocalRun | undefined {
  try {
    const run = JSON.parse(readFileSync(join(folder, '.local/example.json'), 'utf8')) as Partial<LocalRun>;
    const { manageUrl, region, accessKeyId, secretAccessKey } = run;
    if (!manageUrl || !region || !accessKeyId || !secretAccessKey) return undefined;
    if (!isLoopback(URL.parse(manageUrl))) return undefined;
    return { manageUrl, region, accessKeyId, secretAccessKey };
  } catch {
    return undefined;
  }
}

function noService(folder: string): CliError {
  return notSent('Which service? Nothing names one.', [
    'Give --url, or set AUTH_SERVICE_URL, to the function URL that the deployment printed;',
    `or run "npm start" for a local one (there is no local run's .local/example.json in ${folder}).`,
  ]);
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  const guarded = url?.protocol === 'https:' || isLoopback(url);
  if (url === null || !guarded || url.username !== '' || url.search !== '') {
    throw notSent(
      `The URL must be like https://….lambda-url.eu-central-1.on.aws (http only for this machine), not ${text}`,
    );
  }
  if (!/^\/(?:api\/manage\/?)?$/.test(url.pathname)) throw notSent(`The URL must have no path, not ${url.pathname}`);
  return url.origin;
}

function isLoopback(url: URL | null): boolean {
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}

/** The host of a function URL says in which region it is; the environment can be about another. */
function readRegion(url: string, { region }: ServiceOptions, env: NodeJS.ProcessEnv): string {
  const [, ofHost] = /\.lambda-url\.([a-z0-9-]+)\.on\.aws$/.exec(new URL(url).hostname) ?? [];
  const found = region ?? ofHost ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION);
  if (found) return found;
  throw notSent(`In which region is ${url}? Give --region, or set AWS_REGION.`);
}

/** The AWS default chain: environment, profiles, single sign-on, process, container and instance; loaded when it is needed. */
function defaultChain(profile: string | undefined): Service['credentials'] {
  let chain: Promise<() => Promise<AwsCredentials>> | undefined;
  return async () => {
    chain ??= import('@aws-sdk/credential-provider-node').then(({ defaultProvider }) =>
      defaultProvider(profile === undefined ? {} : { profile }),
    );
    try {
      return await (await chain)();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw notSent(`There are no AWS credentials: ${reason}`, [
        'Sign in with "aws sso login", or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      ]);
    }
  };
}
