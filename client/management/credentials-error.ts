import { ManagementError } from './management-error.ts';

/** How a profile gets its credentials; `missing` if there is no such profile, and `sso-session` if there is not the session that it names. */
export type CredentialWay = 'process' | 'sso' | 'sso-session' | 'login' | 'role' | 'key' | 'missing';

/** What is known about missing credentials. */
export interface CredentialsFailure {
  /** The profile of AWS's configuration; undefined for the default chain. */
  readonly profile: string | undefined;
  /** Undefined if nothing configures credentials. */
  readonly way: CredentialWay | undefined;
  /** For a missing one: the profiles that exist. */
  readonly knownProfiles?: readonly string[];
  /** What is wrong, and how to correct it. */
  readonly detail: string;
  /** The error of the provider of credentials. */
  readonly cause?: unknown;
}

/** There are no credentials to sign with, and why: `detail` is the cause of the profile's own way. Nothing was sent. */
export class CredentialsError extends ManagementError {
  static override readonly kind: number = 2;
  static override readonly name: string = 'CredentialsError';
  /** The profile of AWS's configuration; undefined for the default chain. */
  declare readonly profile: string | undefined;
  /** How the profile gets its credentials; undefined if nothing configures any. */
  declare readonly way: CredentialWay | undefined;
  /** If the profile is missing: those that exist. */
  declare readonly knownProfiles?: readonly string[];

  constructor(failure: CredentialsFailure) {
    super({ code: 'no_credentials', isSent: false, ...failure });
  }
}
