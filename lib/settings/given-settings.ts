import type { Node } from 'constructs';
import * as v from 'valibot';
import { type Stage, stages } from './stages.ts';

const text = v.optional(v.string());
const list = v.optional(v.union([v.string(), v.array(v.string())]));
const number = v.optional(v.union([v.string(), v.number()]));
const concurrency = v.optional(v.union([v.string(), v.record(v.string(), v.number())]));
const map = v.optional(v.union([v.string(), v.record(v.string(), v.string())]));

/** What `cdk.json` holds of a stage in a Region; `-c` gives lists and objects as text. `readSettings` checks the values. */
const regionSchema = v.strictObject({
  replicaRegions: list,
  tableStreamArn: text,
  grantedTables: list,
  primaryRootKeys: list,
  rootKeyVersions: list,
  grantedRootKeys: list,
  apiDomain: text,
  apiCertificateArn: text,
  executeApi: text,
  publicAuthorities: list,
  allowedCidrs: list,
  keyStateCacheSeconds: number,
  throttleRate: number,
  throttleBurst: number,
  provisionedConcurrency: concurrency,
  manageThrottleRate: number,
  manageThrottleBurst: number,
  otherThrottleRate: number,
  otherThrottleBurst: number,
  reservedConcurrency: concurrency,
  accountConcurrency: number,
  noTrafficMinutes: number,
  changeRetentionDays: number,
  alarmEmail: text,
  tracing: text,
  accessLog: text,
  costTags: map,
  monthlyBudget: number,
  backupVaultArn: text,
  backupRetentionDays: number,
  canary: text,
  webhookUrl: text,
  webhookSecretName: text,
  webhookHeader: text,
  webhookRate: number,
  oidcIssuer: text,
  oidcAudience: text,
  oidcClientId: text,
  oidcRoleClaim: text,
  oidcRoles: map,
  iamRoles: map,
  loginDomainPrefix: text,
  dashboardUrls: list,
  dashboardDomain: text,
  dashboardCertificateArn: text,
  dashboard: text,
});

type RegionSettings = Readonly<v.InferOutput<typeof regionSchema>>;

/** The settings of a deployment as they are given; only the command line chooses stage, Region and kind of release. */
export interface GivenSettings extends RegionSettings {
  readonly stage: Stage['name'];
  readonly region: string | undefined;
  readonly release?: string;
}

/** The names of all settings. */
export const settingNames: readonly string[] = ['stage', 'region', 'release', ...Object.keys(regionSchema.entries)];

export const regionPattern = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** `settings` in `cdk.json`: those of each stage by Region. */
const checkedInSchema = v.strictObject(
  Object.fromEntries(
    Object.keys(stages).map((stage) => [
      stage,
      v.optional(v.record(v.pipe(v.string(), v.regex(regionPattern, 'Expected a Region')), regionSchema)),
    ]),
  ),
);

/**
 * The settings of the stage and Region that `-c stage=` and `-c region=` choose, from `settings` in `cdk.json`, and over them
 * those that `-c` gives. Throws on a name that is no setting, and where the Region is not clear.
 */
export function selectSettings(node: Node): GivenSettings {
  const { settings, ...context } = node.getAllContext() as Record<string, unknown>;
  const tried = Object.fromEntries(Object.entries(context).filter(([name]) => isOurs(name)));
  requireKnown(Object.keys(tried));
  const stage = textOf(tried.stage) ?? 'dev';
  if (!isStage(stage)) {
    throw new Error(`The setting stage must be one of ${Object.keys(stages).join(', ')}, not ${stage}`);
  }
  const regions = parseCheckedIn(settings)[stage] ?? {};
  requireOneOwner(stage, regions);
  const region = chooseRegion(stage, textOf(tried.region), Object.keys(regions));
  return { ...(region !== undefined && regions[region]), ...tried, stage, region };
}

/** Throws if the file has a setting outside `settings`, where it would apply to every stage. */
export function requireNoSharedSettings(context: Readonly<Record<string, unknown>>): void {
  const shared = Object.keys(context).find((name) => settingNames.includes(name));
  if (shared === undefined) return;
  throw new Error(
    `${shared} stands under context in cdk.json, where it would apply to every stage and Region: move it to context.settings, under the stage and Region that it belongs to`,
  );
}

type CheckedIn = Partial<Record<Stage['name'], Readonly<Record<string, RegionSettings>>>>;

function parseCheckedIn(settings: unknown): CheckedIn {
  const value = typeof settings === 'string' ? JSON.parse(settings) : (settings ?? {});
  const { success, output, issues } = v.safeParse(checkedInSchema, value);
  if (success) return output as CheckedIn;
  const [issue] = issues;
  const path = v.getDotPath(issue);
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    throw new Error(`cdk.json has context.settings.${path}, which is no setting and no stage. ${knownSettings}`);
  }
  throw new Error(`cdk.json has an invalid value in context.settings.${path}: ${issue.message}`);
}

/** The CDK's own context has other names, such as `aws:cdk:version-reporting` and `@aws-cdk/core:…`. */
function isOurs(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name);
}

function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !settingNames.includes(name));
  if (unknown !== undefined) throw new Error(`There is no setting ${unknown}. ${knownSettings}`);
}

const knownSettings = `The settings are ${settingNames.join(', ')}`;

/** A second Region without its copies would have an empty table, and keys with which no API key verifies. */
function requireOneOwner(stage: string, regions: Readonly<Record<string, RegionSettings>>): void {
  for (const [what, name] of [
    ['a table', 'tableStreamArn'],
    ['root keys', 'primaryRootKeys'],
  ] as const) {
    const owners = Object.entries(regions).filter(([, given]) => given[name] === undefined);
    if (owners.length < 2) continue;
    const named = owners.map(([region]) => region).join(' and ');
    throw new Error(
      `The stage ${stage} would have ${what} of its own in ${named}: give ${name} to all but one of them`,
    );
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

function isStage(name: string): name is Stage['name'] {
  return Object.hasOwn(stages, name);
}

function textOf(value: unknown): string | undefined {
  const trimmed = String(value ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
}
