import { fromIni } from '@aws-sdk/credential-provider-ini';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { memoize, parseKnownFiles } from '@smithy/core/config';
import type { AwsCredentialProvider } from './credential-provider.ts';
import { CredentialsError, type CredentialWay } from './credentials-error.ts';
import { environment } from './environment.ts';

type Profile = Readonly<Record<string, string | undefined>>;
type Profiles = Readonly<Record<string, Profile>>;

/**
 * The AWS default chain: environment, profiles, SSO, process, container, instance. With a profile that does not exist, or whose
 * own way to credentials fails, the chain would go on, sign as somebody else and hide the cause, so that is an error.
 */
export async function openChain(named: string | undefined): Promise<AwsCredentialProvider> {
  const profiles: Profiles = await parseKnownFiles({});
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID } = environment();
  const profile = named ?? (AWS_PROFILE || undefined);
  const tried = profile ?? (AWS_ACCESS_KEY_ID ? '' : 'default');
  const settings = Object.hasOwn(profiles, tried) ? profiles[tried] : undefined;
  if (settings === undefined && profile !== undefined && profile !== 'default') throw missing(profile, profiles);
  const way = wayOf(settings ?? {});
  requireSession(settings, profile, profiles);
  if (way !== undefined) return explained(keeping(fromIni({ profile: tried })), { profile, way });
  const isFromEnvironment = named === undefined || named === AWS_PROFILE;
  const chain = { ...(profile && { profile }), ...(!isFromEnvironment && { logger: silent }) };
  return explained(defaultProvider(chain), { profile, way });
}

/** The settings by which a profile has credentials, in the order in which the SDK looks for them, and their ways. */
const waysBySetting = {
  role_arn: 'role',
  aws_access_key_id: 'key',
  credential_process: 'process',
  sso_session: 'sso',
  sso_start_url: 'sso',
  login_session: 'login',
} as const satisfies Record<string, CredentialWay>;

function wayOf(settings: Profile): CredentialWay | undefined {
  const [, way] = Object.entries(waysBySetting).find(([setting]) => settings[setting] !== undefined) ?? [];
  return way;
}

/** A profile whose sign-in session is not configured: the SDK fails on it with a TypeError. */
function requireSession({ sso_session: session }: Profile = {}, profile: string | undefined, profiles: Profiles): void {
  if (session === undefined || Object.hasOwn(profiles, `sso-session.${session}`)) return;
  const detail = `it names the sso_session ${session}, and AWS's configuration has no section [sso-session ${session}]`;
  throw new CredentialsError({ profile, way: 'sso-session', detail });
}

/** Renewed five minutes before they expire. */
function keeping(provide: ReturnType<typeof fromIni>): AwsCredentialProvider {
  const isOld = ({ expiration }: { readonly expiration?: Date }) =>
    expiration !== undefined && expiration.getTime() - Date.now() < 300_000;
  return memoize(provide, isOld, ({ expiration }) => expiration !== undefined);
}

/** The chain warns of an AWS_PROFILE beside AWS_ACCESS_KEY_ID, even if the profile does not come from AWS_PROFILE. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function missing(profile: string, profiles: Profiles): CredentialsError {
  // The files have other sections too, such as `[sso-session main]`.
  const names = Object.keys(profiles).filter((each) => !/^(?:sso-session|services)\./.test(each));
  const detail = `There is no AWS profile ${profile}.`;
  return new CredentialsError({ profile, way: 'missing', knownProfiles: names.sort(), detail });
}

type Tried = Pick<CredentialsError, 'profile' | 'way'>;

function explained(provide: AwsCredentialProvider, tried: Tried): AwsCredentialProvider {
  return async () => {
    try {
      return await provide();
    } catch (cause) {
      const detail = cause instanceof Error ? reasonOf(cause) : String(cause);
      throw new CredentialsError({ ...tried, detail, cause });
    }
  };
}

/**
 * The message about a failed process begins with its whole command, which may contain a secret. A TypeError of the SDK comes from
 * settings that it did not expect, and says nothing about them.
 */
function reasonOf({ name, message }: Error): string {
  if (name === 'TypeError') return "AWS's library cannot read its settings";
  const [, printed] = /^Command failed: [^\n]*\n?(.*)$/s.exec(message) ?? [];
  if (printed === undefined) return message;
  return `its credential_process failed: ${printed.trim() || 'it printed no error'}`;
}
