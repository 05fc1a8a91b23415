import { requireVariable, variable } from '#shared/core/config.ts';

/** The id of the canary's application and user. Only the function that issues its key has it. */
export function canaryId(): string {
  return requireVariable('CANARY_ID');
}

export interface CanaryConfig {
  /** The URL of the Service API, without a trailing slash. */
  readonly api: string;
  /** The function that issues the canary's key. */
  readonly keyFunction: string;
}

/** Settings of the canary, and of the check of releases. */
export function canaryConfig(): CanaryConfig {
  return { api: requireVariable('API_URL').replace(/\/$/, ''), keyFunction: requireVariable('KEY_FUNCTION') };
}

export interface ReleaseConfig extends Pick<CanaryConfig, 'api'> {
  /** The parameter with the new versions, which do not all fit into the 4 KB of an environment. */
  readonly versionsParameter: string;
  /** What the ARN of each function of the Region begins with. */
  readonly functionArns: string;
  /** The ARN of the function's own session, as which it calls the Management API. */
  readonly operator: string;
  readonly changeRetentionDays: number;
  /** How long a failed check is repeated. Only tests set less than the default. */
  readonly checkSeconds: number;
}

/** Settings of the check of releases alone. */
export function releaseConfig(): ReleaseConfig {
  const { api, keyFunction } = canaryConfig();
  return {
    api,
    versionsParameter: requireVariable('VERSIONS_PARAMETER'),
    functionArns: keyFunction.slice(0, keyFunction.lastIndexOf(':') + 1),
    operator: requireVariable('OPERATOR_ARN'),
    changeRetentionDays: Number(requireVariable('CHANGE_RETENTION_DAYS')),
    checkSeconds: Number(variable('CHECK_SECONDS') ?? 240),
  };
}
