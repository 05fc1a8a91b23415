import { join } from 'node:path';
import type { AwsCredentialProvider } from '#client/management/credential-provider.ts';
import { CredentialsError } from '#client/management/credentials-error.ts';
import { defaultCredentials } from '#client/management/default-credentials.ts';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import { commandLine } from '../terminal/command-line.ts';

/** A profile of AWS's configuration, and the setting that named it, such as `--profile`. */
export interface ChosenProfile {
  readonly name: string;
  readonly chosenBy: string;
}

/** The AWS default chain; a failure says what to do about the profile. */
export function defaultChain(profile: ChosenProfile | undefined): AwsCredentialProvider {
  const provide = defaultCredentials(profile?.name);
  return async () => {
    try {
      return await provide();
    } catch (error) {
      throw error instanceof CredentialsError ? describeCause(error, profile) : error;
    }
  };
}

function describeCause({ way, detail, knownProfiles }: CredentialsError, profile: ChosenProfile | undefined): CliError {
  const named = profile === undefined ? '' : ` for the profile ${profile.name} (from ${profile.chosenBy})`;
  const files = configurationFiles().join(' and ');
  switch (way) {
    case 'missing':
      return missing(profile, knownProfiles ?? []);
    case 'process':
      return notSent(`No AWS credentials${named}: ${detail}`, [`Run the command by hand: it is in ${files}.`]);
    case 'role':
      return notSent(`No AWS credentials${named}: ${detail}`, [
        `Check role_arn, source_profile and mfa_serial in ${files}, and that the role trusts you.`,
      ]);
    case 'sso-session':
      return notSent(`No AWS credentials${named}: ${detail}.`, [
        `Correct it in ${files}, or run: ${commandLine('aws', ['configure', 'sso-session'])}`,
      ]);
    case 'key':
      return notSent(`No AWS credentials${named}: ${detail}`, [`Check the access key in ${files}.`]);
    case 'login':
    case 'sso':
    case undefined:
      return notSent(`No AWS credentials${named}: ${detail}`, [
        `Sign in with: ${signIn(way, profile)}`,
        ...(profile === undefined ? ['Or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'] : []),
      ]);
    default:
      return way satisfies never;
  }
}

function signIn(way: 'login' | 'sso' | undefined, profile: ChosenProfile | undefined): string {
  const words = way === 'login' ? ['login'] : ['sso', 'login'];
  return commandLine('aws', [...words, ...(profile === undefined ? [] : ['--profile', profile.name])]);
}

/** Says where the profile was looked for, and which ones exist. */
function missing(profile: ChosenProfile | undefined, known: readonly string[]): CliError {
  const { name, chosenBy } = profile ?? { name: '', chosenBy: 'AWS_PROFILE' };
  return notSent(`There is no AWS profile ${name} (from ${chosenBy}).`, [
    `Looked for it in ${configurationFiles().join(' and ')}.`,
    known.length === 0 ? 'There are no profiles.' : `Known profiles: ${known.join(', ')}.`,
    `To add it: ${commandLine('aws', ['configure', '--profile', name])}`,
  ]);
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/file-location.html */
function configurationFiles(): string[] {
  const { AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE, HOME, USERPROFILE } = process.env;
  const inHome = (name: string) => join(HOME || USERPROFILE || '~', '.aws', name);
  return [AWS_CONFIG_FILE || inHome('config'), AWS_SHARED_CREDENTIALS_FILE || inHome('credentials')];
}
