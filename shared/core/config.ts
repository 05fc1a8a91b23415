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
  readonly onLambda: boolean;
}

/** What the endpoints and the management function need of the environment, checked once at cold start. */
export const config: Config = readConfig(environment);

function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    tableName: required('TABLE_NAME'),
    rootKeys: required('ROOT_KEYS'),
    publicAuthorities: splitList(env.PUBLIC_AUTHORITIES ?? ''),
    changeRetentionDays: positiveInteger(env, 'CHANGE_RETENTION_DAYS', 365),
    allowedCidrs: splitList(env.ALLOWED_CIDRS ?? '').map(cidr),
    onLambda: env.AWS_EXECUTION_ENV !== undefined,
  };
}

function positiveInteger(env: NodeJS.ProcessEnv, name: string, byDefault: number): number {
  const text = env[name];
  if (text === undefined) return byDefault;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`The environment variable ${name} must be a whole number of days`);
  return Number(text);
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
