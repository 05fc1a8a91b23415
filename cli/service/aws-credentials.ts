import { join } from 'node:path';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import { commandLine } from '../terminal/command-line.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A profile of AWS's configuration, and the setting that named it, such as `--profile`. */
export interface ChosenProfile {
  readonly name: string;
  readonly chosenBy: string;
}

/**
 * The AWS default chain (environment, profiles, SSO, process, container, instance), loaded on first use. With a profile that
 * does not exist, the chain would go on and sign as somebody else, so that is an error.
 */
export function defaultChain(profile: ChosenProfile | undefined): () => Promise<AwsCredentials> {
  let chain: Promise<() => Promise<AwsCredentials>> | undefined;
  return async () => {
    chain ??= openChain(profile);
    const provide = await chain;
    try {
      return await provide();
    } catch (cause) {
      throw noCredentials(cause, profile);
    }
  };
}

async function openChain(profile: ChosenProfile | undefined): Promise<() => Promise<AwsCredentials>> {
  const [{ defaultProvider }] = await Promise.all([
    import('@aws-sdk/credential-provider-node'),
    profile === undefined ? undefined : requireProfile(profile),
  ]);
  if (profile === undefined) return defaultProvider();
  return defaultProvider({ profile: profile.name, ...(profile.chosenBy !== 'AWS_PROFILE' && { logger: silent }) });
}

/** The chain warns of an AWS_PROFILE beside AWS_ACCESS_KEY_ID, even if the profile does not come from AWS_PROFILE. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Throws an error that says where the profile was looked for, and which ones exist; `default` needs no entry. */
async function requireProfile({ name, chosenBy }: ChosenProfile): Promise<void> {
  const { parseKnownFiles } = await import('@smithy/core/config');
  const profiles = await parseKnownFiles({});
  if (name === 'default' || Object.hasOwn(profiles, name)) return;
  // The files have other sections too, such as `[sso-session main]`.
  const known = Object.keys(profiles).filter((each) => !/^(?:sso-session|services)\./.test(each));
  throw notSent(`There is no AWS profile ${name} (from ${chosenBy}).`, [
    `Looked for it in ${configurationFiles().join(' and ')}.`,
    known.length === 0 ? 'There are no profiles.' : `Known profiles: ${known.sort().join(', ')}.`,
    `To add it: ${commandLine('aws', ['configure', '--profile', name])}`,
  ]);
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/file-location.html */
function configurationFiles(): string[] {
  const { AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE, HOME, USERPROFILE } = process.env;
  const inHome = (name: string) => join(HOME || USERPROFILE || '~', '.aws', name);
  return [AWS_CONFIG_FILE || inHome('config'), AWS_SHARED_CREDENTIALS_FILE || inHome('credentials')];
}

function noCredentials(cause: unknown, profile: ChosenProfile | undefined): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const named = profile === undefined ? '' : ` for the profile ${profile.name} (from ${profile.chosenBy})`;
  const signIn = commandLine('aws', ['sso', 'login', ...(profile === undefined ? [] : ['--profile', profile.name])]);
  return notSent(`No AWS credentials${named}: ${reason}`, [
    `Sign in with: ${signIn}`,
    ...(profile === undefined ? ['Or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'] : []),
  ]);
}
