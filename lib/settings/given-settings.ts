import type { Node } from 'constructs';
import * as v from 'valibot';
import { readCommandLine } from './cdk-context.ts';
import { contextName } from './context-names.ts';
import { type Stage, stages } from './stages.ts';

const text = v.optional(v.string());
const list = v.optional(v.union([v.string(), v.array(v.string())]));
const number = v.optional(v.union([v.string(), v.number()]));
const onOrOff = v.optional(v.union([v.string(), v.boolean()]));
const concurrency = v.optional(v.union([v.string(), v.record(v.string(), v.number())]));
const onOrOffOrObject = v.optional(v.union([v.string(), v.boolean(), v.record(v.string(), v.unknown())]));
const map = v.optional(v.union([v.string(), v.record(v.string(), v.string())]));

/**
 * The settings of a stage in a Region, as in `cdk.json`; `-c` gives lists and objects as text. `readSettings` checks the
 * values.
 */
const regionSchema = v.strictObject({
  /** Change it when another Region must be able to take over. */
  replicaRegions: list,
  /** Change it when you switch to a restored table, or deploy a standby. */
  tableStreamArn: text,
  /** Change it when you deploy a standby, and when it takes over. */
  standby: onOrOff,
  /** Change it when others may know a root, or a standby gets the keys of its first Region. */
  rootKeys: list,
  /** Change it when clients should call your own name. */
  apiDomain: text,
  /** Change it when you change `apiDomain` or replace its certificate. */
  apiCertificateArn: text,
  /** Change it when no client uses API Gateway's own name any more. */
  executeApi: onOrOff,
  /** Change it when clients reach the API through another proxy and sign its name. */
  publicAuthorities: list,
  /** Change it when all clients have fixed addresses. */
  allowedCidrs: list,
  /** Change it when gateways or other software should ask with a bearer token. */
  endpoints: list,
  /** Change it when applications should be told of their changes by webhooks. */
  webhooks: list,
  /** Change it when people should log in to applications by this service, or at the provider of their company. */
  login: onOrOffOrObject,
  /** Change it when one application sends more than 3,000 reads per second. */
  keyStateCacheSeconds: number,
  /** Change it when clients get 429 from API Gateway, or should be limited further. */
  throttleRate: number,
  /** Change it when cold starts are too slow for you. */
  provisionedConcurrency: concurrency,
  /** Change it when tools get 429 from `/api/manage`, or should be limited further. */
  manageThrottleRate: number,
  /** Change it when other functions of the account must not take this one's environments. */
  reservedConcurrency: concurrency,
  /** Change it when you must be able to prove for longer who changed what, or may not keep it that long. */
  changeRetentionDays: number,
  /** Change it when each change must say why. */
  requireReason: text,
  /** Change it when someone else is on call. */
  alarmEmail: text,
  /** Change it when you investigate where a slow request spends its time. */
  tracing: onOrOff,
  /** Change it when you investigate requests that reach no function. */
  accessLog: onOrOff,
  /** Change it when you want a notification if the bill exceeds a limit. */
  monthlyBudget: number,
  /** Change it when the data must outlive the account. */
  backupVaultArn: text,
  /** Change it when copies must be kept longer, or the lock of the vault requires more. */
  backupRetentionDays: number,
  /** Change it when the end of a history must be provable, even against someone who owns the account. */
  headsBucket: text,
  /** Change it when you try the canary in `dev`, or do not want its requests elsewhere. */
  canary: onOrOff,
  /** Change it when operators log in with your own provider. */
  oidcIssuer: text,
  /** Change it when you change `oidcIssuer`, or its tokens name another audience. */
  oidcAudience: text,
  /** Change it when the client id of the dashboard at the provider is not the audience. */
  oidcClientId: text,
  /** Change it when the tokens of `oidcIssuer` list groups in a claim. */
  oidcRoleClaim: text,
  /** Change it when a group of `oidcIssuer` gets or loses a role. */
  oidcRoles: map,
  /** Change it when others than admins can assume IAM roles with invoke rights. */
  iamRoles: map,
  /** Change it when the dashboard is also opened at another address. */
  dashboardUrls: list,
  /** Change it when operators should open your own name. */
  dashboardDomain: text,
  /** Change it when you change `dashboardDomain` or replace its certificate. */
  dashboardCertificateArn: text,
  /** Change it when you need no dashboard, or built it elsewhere. */
  dashboard: text,
});

/** Settings by earlier names, which are still accepted. */
const earlierNames: Readonly<Record<string, string>> = { doors: 'endpoints' };

type RegionSettings = Readonly<v.InferOutput<typeof regionSchema>>;

/** The settings of a deployment as given; stage, Region and kind of release come only from the command line. */
export interface GivenSettings extends RegionSettings {
  /** Change it when you deploy another stage. */
  readonly stage: Stage['name'];
  /** Change it when you deploy the stage in another Region. */
  readonly region: string | undefined;
  /** Change it when a release cannot wait, or fixes what an alarm reports; you try releases in `dev`. */
  readonly release?: string;
}

/** The names of all settings. */
export const settingNames: readonly string[] = ['stage', 'region', 'release', ...Object.keys(regionSchema.entries)];

/** Whether a property is a setting. */
export function isSetting(name: string): boolean {
  return settingNames.includes(name);
}

const knownNames = `The settings are ${settingNames.join(', ')}`;

export const regionPattern = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

const renamedSchema = v.pipe(v.record(v.string(), v.unknown()), v.transform(withPresentNames), regionSchema);

/** `settings` in `cdk.json`: those of each stage by Region. */
const checkedInSchema = v.strictObject(
  Object.fromEntries(
    Object.keys(stages).map((stage) => [
      stage,
      v.optional(v.record(v.pipe(v.string(), v.regex(regionPattern, 'Expected a Region')), renamedSchema)),
    ]),
  ),
);

/** What `cdk.json` says of the service: `accounts` and `settings`, not yet checked. */
export function readCheckedIn(node: Node): { readonly accounts?: unknown; readonly settings?: unknown } {
  const given: unknown = node.tryGetContext(contextName);
  const schema = typeof given === 'string' ? v.pipe(v.string(), v.parseJson(), fileSchema) : fileSchema;
  const { success, output, issues } = v.safeParse(schema, given);
  if (success) return output;
  const place = [`context.${contextName}`, v.getDotPath(issues[0]) ?? []].flat().join('.');
  throw new Error(`cdk.json has ${place}: it may contain accounts and settings, and nothing else`);
}

const fileSchema = v.optional(
  v.strictObject({ accounts: v.optional(v.unknown()), settings: v.optional(v.unknown()) }),
  {},
);

/**
 * The settings that `cdk.json` has for the stage and Region chosen by `-c stage=` and `-c region=`, overridden by those that
 * `-c` gives. Throws on an unknown setting under the service's name, and if the Region is ambiguous.
 */
export function selectSettings(node: Node): GivenSettings {
  const { settings } = readCheckedIn(node);
  const { named, bare } = readCommandLine(node.getAllContext());
  const ours = withPresentNames(bare);
  const chosen = Object.entries(ours).filter(([name]) => isSetting(name));
  const tried = { ...Object.fromEntries(chosen), ...withPresentNames(named) };
  requireKnown(Object.keys(tried));
  const stage = textOf(tried.stage) ?? 'dev';
  requireStage(stage);
  const regions = parseCheckedIn(settings)[stage] ?? {};
  requireOneOwner(stage, regions);
  const region = chooseRegion(stage, textOf(tried.region), Object.keys(regions));
  return { ...(region !== undefined && regions[region]), ...tried, stage, region };
}

/** Settings that are given in code; throws on an unknown one, and on a value of another type. */
export function checkGiven({
  stage = 'dev',
  region,
  release,
  ...others
}: Readonly<Record<string, unknown>>): GivenSettings {
  const name = textOf(stage) ?? '';
  requireStage(name);
  requireKnown(Object.keys(others));
  const { success, output, issues } = v.safeParse(regionSchema, others);
  if (!success) throw new Error(`The setting ${v.getDotPath(issues[0])} has an invalid value: ${issues[0].message}`);
  return {
    ...output,
    stage: name,
    region: textOf(region),
    ...(release !== undefined && { release: String(release) }),
  };
}

/** Throws if the file has a setting outside `settings`, where it would apply to every stage or to none. */
export function requireNoSharedSettings(context: Readonly<Record<string, unknown>>): void {
  const moved = ['accounts', 'settings'].find((name) => name in context);
  if (moved !== undefined) throw new Error(`cdk.json has context.${moved}: move it to context.${contextName}.${moved}`);
  const { named, bare } = readCommandLine(context, []);
  const shared = [...Object.keys(named), ...Object.keys(bare)].find(isSetting);
  if (shared === undefined) return;
  throw new Error(
    `${shared} is directly under context in cdk.json, where it would apply to every stage and Region: move it to context.${contextName}.settings, under its stage and Region`,
  );
}

type CheckedIn = Partial<Record<Stage['name'], Readonly<Record<string, RegionSettings>>>>;

function parseCheckedIn(settings: unknown): CheckedIn {
  const { success, output, issues } = v.safeParse(checkedInSchema, settings ?? {});
  if (success) return output as CheckedIn;
  const [issue] = issues;
  const path = v.getDotPath(issue);
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    throw new Error(
      `cdk.json has context.${contextName}.settings.${path}, which is neither a setting nor a stage. ${knownNames}`,
    );
  }
  throw new Error(`cdk.json has an invalid value in context.${contextName}.settings.${path}: ${issue.message}`);
}

function withPresentNames(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [earlierNames[name] ?? name, value]));
}

function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !isSetting(name));
  if (unknown !== undefined) throw new Error(`There is no setting ${unknown}. ${knownNames}`);
}

/** A second Region without its copies would have an empty table, and root keys that verify no API key. */
function requireOneOwner(stage: string, regions: Readonly<Record<string, RegionSettings>>): void {
  for (const [what, name, isOwner] of [
    ['a table', 'tableStreamArn', ({ tableStreamArn }) => tableStreamArn === undefined],
    ['root keys', 'the primaries in rootKeys', ({ rootKeys }) => !String(rootKeys).includes('=')],
  ] as const satisfies (readonly [string, string, (given: RegionSettings) => boolean])[]) {
    const owners = Object.entries(regions).filter(([, given]) => isOwner(given));
    if (owners.length < 2) continue;
    const named = owners.map(([region]) => region).join(' and ');
    throw new Error(`The stage ${stage} would have ${what} of its own in ${named}: set ${name} in all but one of them`);
  }
}

function chooseRegion(stage: string, chosen: string | undefined, known: readonly string[]): string | undefined {
  if (known.length === 0 || (chosen !== undefined && known.includes(chosen))) return chosen;
  if (chosen === undefined && known.length === 1) return known[0];
  const regions = known.join(' and ');
  if (chosen === undefined) {
    throw new Error(`The stage ${stage} has settings for ${regions}: choose one of them with -c region=`);
  }
  throw new Error(`The stage ${stage} has settings for ${regions}, and none for ${chosen}: add them to cdk.json`);
}

function requireStage(name: string): asserts name is Stage['name'] {
  if (Object.hasOwn(stages, name)) return;
  throw new Error(`The setting stage must be one of ${Object.keys(stages).join(', ')}, not ${name}`);
}

function textOf(value: unknown): string | undefined {
  const trimmed = String(value ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
}
