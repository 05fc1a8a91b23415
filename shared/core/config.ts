import { type Cidr, readCidr } from '#shared/contract/cidr.ts';
import { environment, required } from './environment.ts';

export interface Config {
  readonly tableName: string;
  /** `k1=<KMS key ARN>,k2=…`, oldest first; read by `shared/keys/root-keys.ts`. */
  readonly rootKeys: string;
  /** Host names that a proxy in front serves, and that clients therefore sign as `@authority`. */
  readonly publicAuthorities: readonly string[];
  /** How long a Change stays in the table. */
  readonly changeRetentionDays: number;
  /** Where the Service API may be called from; everywhere, if there are none. */
  readonly allowedCidrs: readonly Cidr[];
  /** For how long a process may go by an application that it read before, when it is asked to read an access; 0: never. */
  readonly keyStateCacheSeconds: number;
  readonly onLambda: boolean;
}

/** What the endpoints and the management function need of the environment, checked once at cold start. */
export const config: Config = readConfig(environment);

function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    tableName: required('TABLE_NAME'),
    rootKeys: required('ROOT_KEYS'),
    publicAuthorities: splitList(env.PUBLIC_AUTHORITIES ?? ''),
    changeRetentionDays: wholeNumber(env, 'CHANGE_RETENTION_DAYS', { byDefault: 365, least: 1 }),
    allowedCidrs: splitList(env.ALLOWED_CIDRS ?? '').map(cidr),
    keyStateCacheSeconds: wholeNumber(env, 'KEY_STATE_CACHE_SECONDS', { byDefault: 0, least: 0 }),
    onLambda: env.AWS_EXECUTION_ENV !== undefined,
  };
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  { byDefault, least }: { readonly byDefault: number; readonly least: number },
): number {
  const text = env[name] ?? String(byDefault);
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`The environment variable ${name} must be a whole number from ${least} to 999999, not ${text}`);
}

/** A range that cannot be read must not become a list without it, which may let everyone in. */
function cidr(text: string): Cidr {
  const range = readCidr(text);
  if (range === undefined) throw new Error(`The environment variable ALLOWED_CIDRS holds ${text}, which is no range`);
  return range;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
}
