import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliError, notSent } from './cli-error.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The Management API to call, and the credentials to sign with. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly region: string;
  /** Called before each signature; the provider caches and renews them. */
  readonly credentials: () => Promise<AwsCredentials>;
}

export interface ServiceOptions {
  readonly url?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** The part of `.local/example.json`, which `npm start` writes, that the CLI uses. */
interface LocalRun {
  readonly manageUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The service that the options or the environment name, else the one that `npm start` runs. The local key pair is used
 * for the local run only.
 */
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
 * Undefined if the file is missing, incomplete or from an earlier version. A URL on another machine is ignored too: a
 * planted file must not redirect operators.
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
  return notSent('No service is configured.', [
    'Set --url or AUTH_SERVICE_URL to the function URL that the deployment printed (ManageUrl);',
    `or run "npm start" for a local one (there is no .local/example.json of a local run in ${folder}).`,
  ]);
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || isLoopback(url);
  if (url === null || !isSecure || url.username !== '' || url.search !== '') {
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

/** The host of a function URL contains its region, which the environment may not match. */
function readRegion(url: string, { region }: ServiceOptions, env: NodeJS.ProcessEnv): string {
  const [, ofHost] = /\.lambda-url\.([a-z0-9-]+)\.on\.aws$/.exec(new URL(url).hostname) ?? [];
  const found = region ?? ofHost ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION);
  if (found) return found;
  throw notSent(`The region of ${url} is unknown. Pass --region, or set AWS_REGION.`);
}

/** The AWS default chain (environment, profiles, SSO, process, container, instance), loaded on first use. */
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
      throw notSent(`No AWS credentials: ${reason}`, [
        'Sign in with "aws sso login", or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      ]);
    }
  };
}
