import { isIP } from 'node:net';
import { type ReasonDemand, reasonDemands } from '#shared/contract/change-reason.ts';
import { settleSeconds } from '#shared/contract/time-bounds.ts';
import type { OperatorRoleSettings } from './operator-roles.ts';

/** The process's environment; nothing else reads `process.env`. */
const environment: NodeJS.ProcessEnv = process.env;

export interface Config {
  readonly tableName: string;
  /** The AWS Region. */
  readonly region: string;
  /** Host names that a proxy in front serves, and that clients therefore sign as `@authority`. */
  readonly publicAuthorities: readonly string[];
  /** How long a Change stays in the table. */
  readonly changeRetentionDays: number;
  /** Address ranges that may call the Service API; empty allows every address. */
  readonly allowedCidrs: readonly Cidr[];
  /** How long a process may reuse an application it has read when it reads an access; 0 disables reuse. */
  readonly keyStateCacheSeconds: number;
  /** Whose changes require a reason in every application; `null` if none do. */
  readonly requireReason: ReasonDemand | null;
  /** How long a deletion waits until earlier writes have ended. Only tests set less than the default. */
  readonly settleSeconds: number;
}

let known: Config | undefined;

/** The environment variables of the functions that use the table; read once, and an error names the variable. */
export function config(): Config {
  known ??= readConfig(environment);
  return known;
}

/** `k1=<KMS key ARN>,k2=…`, oldest first; read by `shared/keys/root-keys.ts`. */
export function rootKeySources(): string {
  return requireVariable('ROOT_KEYS');
}

/** Whether the process runs on Lambda, deployed. */
export function isOnLambda(): boolean {
  return environment.AWS_EXECUTION_ENV !== undefined;
}

/** Whether Lambda started this process before a request needed it. */
export function startedAhead(): boolean {
  return environment.AWS_LAMBDA_INITIALIZATION_TYPE === 'provisioned-concurrency';
}

/** The event bus for changes. Only the change publisher has it. */
export function eventBusName(): string {
  return requireVariable('EVENT_BUS_NAME');
}

/** The exact issuer of operators' tokens. Only the management function has it. */
export function operatorIssuer(): string {
  return requireVariable('OPERATOR_ISSUER');
}

/** How operators get their roles, validated by the stack. Only the management function has it. */
export function operatorRoleSettings(): OperatorRoleSettings {
  return JSON.parse(requireVariable('OPERATOR_ROLES')) as OperatorRoleSettings;
}

export interface AwsEndpoint {
  readonly origin: string;
  readonly region: string;
}

/** The services whose variable has another name than their host. */
const endpointNames: Readonly<Record<string, string>> = { 'cognito-idp': 'COGNITO_IDENTITY_PROVIDER' };

/** The endpoint of an AWS API, resolved as the SDK does: `AWS_ENDPOINT_URL` overrides it for tests, and before it that of the service. */
export function awsEndpoint(service: string): AwsEndpoint {
  const region = requireVariable('AWS_REGION');
  const own = environment[`AWS_ENDPOINT_URL_${endpointNames[service] ?? service.toUpperCase()}`];
  return { origin: own ?? environment.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com`, region };
}

/** The endpoint of a bucket in S3: a host of its own, or a path below `AWS_ENDPOINT_URL`. */
export function bucketEndpoint(bucket: string): AwsEndpoint {
  const { origin, region } = awsEndpoint(`${bucket}.s3`);
  return { origin: environment.AWS_ENDPOINT_URL === undefined ? origin : `${origin}/${bucket}`, region };
}

/** A variable of the environment, such as one that an option gives to its functions. */
export function variable(name: string): string | undefined {
  return environment[name];
}

/** The same; throws if it is missing or empty. */
export function requireVariable(name: string): string {
  const value = variable(name);
  if (!value) throw new Error(`The environment variable ${name} is missing`);
  return value;
}

function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    tableName: requireVariable('TABLE_NAME'),
    region: env.AWS_REGION ?? 'local',
    publicAuthorities: splitList(env.PUBLIC_AUTHORITIES ?? ''),
    changeRetentionDays: wholeNumber(env, 'CHANGE_RETENTION_DAYS', { byDefault: 365, least: 1 }),
    allowedCidrs: splitList(env.ALLOWED_CIDRS ?? '').map(cidr),
    keyStateCacheSeconds: wholeNumber(env, 'KEY_STATE_CACHE_SECONDS', { byDefault: 0, least: 0 }),
    requireReason: reasonDemand(env.REQUIRE_REASON),
    settleSeconds: wholeNumber(env, 'SETTLE_SECONDS', { byDefault: settleSeconds, least: 0 }),
  };
}

/** Throws on an unknown value: taken for none, it would let changes through without a reason. */
function reasonDemand(text: string | undefined): ReasonDemand | null {
  const demand = reasonDemands.find((one) => one === text) ?? null;
  if (demand !== null || text === undefined) return demand;
  throw new Error(`The environment variable REQUIRE_REASON must be ${reasonDemands.join(' or ')}, not ${text}`);
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

/** Throws on an invalid range: leaving it out could empty the list, which allows every address. */
function cidr(text: string): Cidr {
  const range = readCidr(text);
  if (range === undefined)
    throw new Error(`The environment variable ALLOWED_CIDRS contains ${text}, which is not a CIDR range`);
  return range;
}

/** The entries of a list that is separated by commas, in lower case. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
}

/** A range of addresses (RFC 4632, RFC 4291 section 2.3). */
export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads `203.0.113.0/24` or `2001:db8::/32`; undefined for anything else. */
export function readCidr(text: string): Cidr | undefined {
  const [, address = '', digits = ''] = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const [version, prefix] = [isIP(address), Number(digits)];
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
