import { join } from 'node:path';
import type { Node } from 'constructs';
import * as v from 'valibot';
import type { OperatorRoleSettings } from '#shared/core/operator-roles.ts';
import {
  type OwnDomain,
  readAllowedCidrs,
  readDomain,
  readExecuteApi,
  readKeyStateCacheSeconds,
  readThrottle,
  readWebhook,
  type Throttle,
  type WebhookSettings,
} from './api-settings.ts';
import { readProvisionedConcurrency, readReservedConcurrency } from './concurrency-settings.ts';
import { type GivenSettings, selectSettings } from './given-settings.ts';
import { type OperatorTokens, readDashboardUrls, readLoginDomainPrefix, readOperatorTokens } from './login-settings.ts';
import { readOperatorRoles } from './operator-role-settings.ts';
import { parseJson, readList, readPositiveInteger, readSwitch, readText } from './setting-value.ts';
import { type Stage, stages } from './stages.ts';
import {
  type BackupSettings,
  type RootKeyVersion,
  readBackup,
  readGrantedRootKeys,
  readGrantedTables,
  readRegion,
  readReplicaRegions,
  readRootKeyVersions,
  readTableStreamArn,
} from './storage-settings.ts';

/**
 * How a release is deployed: `canary` sends it a tenth of the requests for five minutes first; `at-once` sends it all of
 * them and ignores alarms, for a fix of the problem that an alarm reports.
 */
export type Release = 'canary' | 'at-once';

/** What the stack does so that its costs are known. */
export interface CostSettings {
  /** Tags of all resources besides `service` and `stage`, from `costTags`. Default: none. */
  readonly tags: Readonly<Record<string, string>>;
  /** US dollars a month, from which on the topic of the alarms is notified. Default: no budget. */
  readonly monthlyBudget: number | undefined;
}

/** The settings of a deployment, from `settings` in `cdk.json`, or to try them from `-c <name>=<value>`. */
export interface Settings {
  /** `dev`, `staging` or `prod`, with `tracing` and `accessLog` where they are given. Default: `dev`. */
  readonly stage: Stage;
  /**
   * How many environments of a function are always ready, by the function's name, in a stage with aliases; a JSON object.
   * Default: none.
   */
  readonly provisionedConcurrency: Readonly<Record<string, number>>;
  /** `canary` or `at-once`, where the stage has canary releases. Default: `canary`. */
  readonly release: Release;
  /** Host names of a proxy in front that clients sign as `@authority`, separated by commas. Default: none. */
  readonly publicAuthorities: string;
  /** The Region of the stack. Default: the one that `cdk.json` has settings for, or else the deployer's. */
  readonly region: string | undefined;
  /** The Regions for replicas of the table and the root keys, separated by commas. Default: none. */
  readonly replicaRegions: readonly string[];
  /** The stream ARN of an existing table: a restored one, or another Region's replica. Default: the stack creates a table. */
  readonly tableStreamArn: string | undefined;
  /**
   * The ARNs of tables of the stage that the functions may use besides theirs: for the deployment before a release to another
   * table, and for that release, during which both are in use. Default: none.
   */
  readonly grantedTables: readonly string[];
  /**
   * The root keys, oldest first: new API keys are derived from the last one; those of a version that is removed stop
   * verifying. From `rootKeyVersions`, such as `k1,k2`, which the stack creates; or from `primaryRootKeys`, the output
   * `RootKeys` of another Region's stack, whose keys the stack replicates. Default: `k1`.
   */
  readonly rootKeyVersions: readonly RootKeyVersion[];
  /** Root keys that the functions may use and do not: as `grantedTables`, in the form of those above. Default: none. */
  readonly grantedRootKeys: readonly RootKeyVersion[];
  /** The address ranges that may call the Service API, separated by commas. Default: all. */
  readonly allowedCidrs: readonly string[];
  /**
   * Seconds, up to 300, for which reads of accesses may use a cached state of an application's keys, for applications with
   * more than 3,000 requests a second. A revoked key can still read for that long. Default: 0.
   */
  readonly keyStateCacheSeconds: number;
  /** Days that a Change stays in the table. Default: the stage's. */
  readonly changeRetentionDays: number;
  /** Requests per second that the API accepts. Default: 1000. */
  readonly throttleRate: number;
  /** Requests in a burst beyond the rate. Default: 2000. */
  readonly throttleBurst: number;
  /** The same of `/api/manage` by itself. Default: 100, and 200 in a burst. */
  readonly manageThrottle: Throttle;
  /** The same of `/docs`, and of all unknown paths together, each by itself. Default: 100, and 200 in a burst. */
  readonly otherThrottle: Throttle;
  /** Environments that a function always gets, and never exceeds, by its file name. Default: none, all share the account's. */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** The account's quota of environments, of which the alarm looks at 80 %. Default: 1000. */
  readonly accountConcurrency: number;
  /** Minutes without any request after which an alarm begins; 0 is no such alarm. Default: the stage's. */
  readonly noTrafficMinutes: number;
  /**
   * The OpenID provider of the operators, from `oidcIssuer` and `oidcAudience`: both or neither. Its access tokens must
   * contain the scope of the Management API. Default: a user pool that the stack creates.
   */
  readonly operatorTokens: OperatorTokens | undefined;
  /**
   * How operators get their roles: by tokens from `oidcRoleClaim`, a claim that lists groups, and `oidcRoles`, the role of
   * each group, or else from the groups of the stack's user pool; by IAM from `iamRoles`, the role of each pattern of ARNs,
   * and `admin` where none fits.
   */
  readonly operatorRoles: OperatorRoleSettings;
  /**
   * The URLs to which operators return after login and logout at the stack's user pool, separated by commas; compared
   * character by character. Default: in `dev` `http://localhost:3000/`, else none.
   */
  readonly dashboardUrls: readonly string[];
  /**
   * The folder of the built dashboard, which is left out if it is missing; from `dashboard`, where `none` always leaves it
   * out. Default: `dashboard/dist` of this project.
   */
  readonly dashboardFolder: string | undefined;
  /** From `dashboardDomain` and `dashboardCertificateArn`: both or neither. Default: CloudFront's own name. */
  readonly dashboardDomain: OwnDomain | undefined;
  /** From `apiDomain` and `apiCertificateArn`, of the stack's Region: both or neither. Default: API Gateway's own name. */
  readonly apiDomain: OwnDomain | undefined;
  /** Whether the API also answers at API Gateway's own name besides `apiDomain`: `on` or `off`. Default: `on`. */
  readonly executeApi: 'on' | 'off';
  /** The dashboard's client id at the provider of `oidcIssuer`. Default: `oidcAudience`. */
  readonly oidcClientId: string | undefined;
  /** First label of the host name of the user pool's login pages. Default: one that is unique to the stack. */
  readonly loginDomainPrefix: string | undefined;
  /** The webhook that also gets every change, from `webhookUrl` and `webhookSecretName`: both or neither. Default: none. */
  readonly webhook: WebhookSettings | undefined;
  /** The address that gets alarms, once it confirms AWS's subscription e-mail. Default: the topic's subscribers; in `dev` none. */
  readonly alarmEmail: string | undefined;
  /** From `costTags` and `monthlyBudget`. */
  readonly costs: CostSettings;
  /** From `backupVaultArn` and `backupRetentionDays`. Default: no backups but those of the table itself. */
  readonly backup: BackupSettings | undefined;
  /** `on` or `off`: whether the canary calls the service each minute. Default: where releases are canaries, unless `allowedCidrs` shuts it out. */
  readonly canary: 'on' | 'off';
}

/** Reads the settings of the chosen stage and Region; throws on an invalid one and names it. */
export function readSettings(node: Node): Settings {
  const given = selectSettings(node);
  const stage = readStage(given);
  return {
    stage,
    provisionedConcurrency: readProvisionedConcurrency(given, stage),
    release: readRelease(given, stage),
    publicAuthorities: readList(given, 'publicAuthorities').join(','),
    region: readRegion(given),
    replicaRegions: readReplicaRegions(given),
    tableStreamArn: readTableStreamArn(given, stage),
    grantedTables: readGrantedTables(given, stage),
    rootKeyVersions: readRootKeyVersions(given, stage),
    grantedRootKeys: readGrantedRootKeys(given, stage),
    allowedCidrs: readAllowedCidrs(given),
    keyStateCacheSeconds: readKeyStateCacheSeconds(given),
    changeRetentionDays: readPositiveInteger(given, 'changeRetentionDays', stage.changeRetentionDays),
    throttleRate: readPositiveInteger(given, 'throttleRate', 1000),
    throttleBurst: readPositiveInteger(given, 'throttleBurst', 2000),
    manageThrottle: readThrottle(given, 'manage'),
    otherThrottle: readThrottle(given, 'other'),
    reservedConcurrency: readReservedConcurrency(given),
    accountConcurrency: readPositiveInteger(given, 'accountConcurrency', 1000),
    noTrafficMinutes: readNoTrafficMinutes(given, stage),
    operatorTokens: readOperatorTokens(given),
    operatorRoles: readOperatorRoles(given),
    dashboardUrls: readDashboardUrls(given, stage),
    dashboardFolder: readDashboardFolder(given),
    // CloudFront accepts only certificates in us-east-1.
    dashboardDomain: readDomain(given, 'dashboard', 'us-east-1'),
    apiDomain: readDomain(given, 'api', readText(given, 'region')),
    executeApi: readExecuteApi(given),
    oidcClientId: readText(given, 'oidcClientId'),
    loginDomainPrefix: readLoginDomainPrefix(given),
    webhook: readWebhook(given),
    alarmEmail: readText(given, 'alarmEmail'),
    costs: readCosts(given),
    backup: readBackup(given),
    canary: readCanary(given, stage),
  };
}

function readStage(given: GivenSettings): Stage {
  const stage = stages[given.stage];
  return {
    ...stage,
    tracing: readSwitch(given, 'tracing', stage.tracing),
    accessLog: readSwitch(given, 'accessLog', stage.accessLog),
  };
}

/** The canary comes from an address of AWS's that nobody knows in advance. */
function readCanary(given: GivenSettings, stage: Stage): Settings['canary'] {
  const isShutOut = readList(given, 'allowedCidrs').length > 0;
  const isOn = readSwitch(given, 'canary', stage.canary && !isShutOut);
  if (isOn && isShutOut) {
    throw new Error('The setting canary can be on only without allowedCidrs, which would refuse its requests');
  }
  return isOn ? 'on' : 'off';
}

function readRelease(given: GivenSettings, stage: Stage): Release {
  const release = readText(given, 'release');
  if (release === undefined) return 'canary';
  if (!stage.canary) throw new Error(`The setting release is for stages with canary releases, unlike ${stage.name}`);
  if (release === 'canary' || release === 'at-once') return release;
  throw new Error(`The setting release must be canary or at-once, not ${release}`);
}

function readDashboardFolder(given: GivenSettings): string | undefined {
  const folder = readText(given, 'dashboard') ?? join(import.meta.dirname, '../../dashboard/dist');
  return folder === 'none' ? undefined : folder;
}

/** An alarm looks back a day at most, in periods of five minutes. */
function readNoTrafficMinutes(given: GivenSettings, stage: Stage): number {
  const text = readText(given, 'noTrafficMinutes') ?? String(stage.noTrafficMinutes);
  if (/^\d{1,4}$/.test(text) && Number(text) % 5 === 0 && Number(text) <= 1440) return Number(text);
  throw new Error(`The setting noTrafficMinutes must be a multiple of 5 up to 1440, or 0 for no alarm, not ${text}`);
}

/** Throws on a tag that AWS would refuse, and on one that the stack sets itself. */
function readCosts(given: GivenSettings): CostSettings {
  const tags = readTags(given.costTags);
  const monthlyBudget =
    readText(given, 'monthlyBudget') === undefined ? undefined : readPositiveInteger(given, 'monthlyBudget', 1);
  return { tags, monthlyBudget };
}

/** AWS allows 50 tags, whose keys do not begin with `aws:`. https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html */
const tagsSchema = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^(?!aws:)[\w .:/=+@-]{1,128}$/)),
    v.pipe(v.string(), v.regex(/^[\w .:/=+@-]{0,256}$/)),
  ),
  v.check((tags) => !('service' in tags) && !('stage' in tags) && Object.keys(tags).length <= 40),
);

function readTags(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === '') return {};
  const given = typeof value === 'string' ? parseJson(value) : value;
  const { success, output } = v.safeParse(tagsSchema, given);
  if (success && !Array.isArray(given)) return output;
  throw new Error(
    'The setting costTags must be a JSON object of tags and their values, such as {"cost-center":"4711"}, without service and stage, which the stack sets',
  );
}
