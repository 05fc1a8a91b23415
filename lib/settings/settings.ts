import type { Node } from 'constructs';
import { type ReasonDemand, reasonDemands } from '#shared/contract/change-reason.ts';
import type { OperatorRoleSettings } from '#shared/core/operator-roles.ts';
import type { EndpointSet } from '../options/endpoint-sets.ts';
import { type AccountSettings, readAccount } from './account-settings.ts';
import { type Adoption, readAdoption } from './adoption.ts';
import {
  type OwnDomain,
  readAllowedCidrs,
  readDomain,
  readEndpoints,
  readExecuteApi,
  readKeyStateCacheSeconds,
  readListOf,
} from './api-settings.ts';
import { readAccountConcurrency, readProvisionedConcurrency, readReservedConcurrency } from './concurrency-settings.ts';
import { dashboardFolder } from './dashboard-folder.ts';
import { type GivenSettings, selectSettings } from './given-settings.ts';
import { type PeopleLogin, readLogin } from './login-of-people.ts';
import { type OperatorTokens, readDashboardUrls, readOperatorTokens } from './login-settings.ts';
import { readOperatorRoles } from './operator-role-settings.ts';
import { readList, readPositiveInteger, readSwitch, readText } from './setting-value.ts';
import { type Stage, stages } from './stages.ts';
import {
  type BackupSettings,
  type LosingSetting,
  readBackup,
  readConfirmedChanges,
  readHeadsBucket,
  readRegion,
  readStorage,
  type StorageSettings,
} from './storage-settings.ts';

/**
 * How a release is deployed: `canary` sends it a tenth of the requests for five minutes first; `at-once` sends it all of
 * them and ignores alarms, for a fix of the problem that an alarm reports.
 */
export type Release = 'canary' | 'at-once';

/** The settings of a deployment: from `settings` in `cdk.json` or, for a trial, from `-c <name>=<value>`. */
export interface Settings extends StorageSettings, AccountSettings, PeopleLogin {
  /** `dev`, `staging` or `prod`, with `release`, `tracing` and `accessLog` where they are given. Default: `dev`. */
  readonly stage: Stage;
  /** Provisioned concurrency by function name, in a stage with aliases; a JSON object. Default: none. */
  readonly provisionedConcurrency: Readonly<Record<string, number>>;
  /** `canary` or `at-once`. Default: `canary` in a stage with canary releases; `dev` gets them with this setting. */
  readonly release: Release;
  /** Host names of a proxy in front of the API that clients sign as `@authority`, separated by commas. Default: none. */
  readonly publicAuthorities: string;
  /** The Region of the stack. Default: the one that `cdk.json` has settings for, or else the deployer's. */
  readonly region: string | undefined;
  /** The address ranges that may call the Service API, separated by commas. Default: all. */
  readonly allowedCidrs: readonly string[];
  /** The sets of endpoints for connections, separated by commas: `evaluate`, `hooks`, `scim`. Default: none. */
  readonly endpoints: readonly EndpointSet[];
  /** The formats in which webhooks can be delivered, separated by commas: `standard`, `set`. Default: none, and no webhooks. */
  readonly webhooks: readonly string[];
  /**
   * Seconds, up to 300, for which reads of accesses may use a cached state of an application's keys, for applications with
   * more than 3,000 requests a second. A revoked key can still read for that long. Default: 0.
   */
  readonly keyStateCacheSeconds: number;
  /** Days that a Change is kept in the table. Default: the stage's. */
  readonly changeRetentionDays: number;
  /**
   * Whose changes of a status, an access or a role require a reason in every application: `operators`, or `all`, which
   * includes the applications' own. Default: nobody's, but for what an application requires itself.
   */
  readonly requireReason: ReasonDemand | undefined;
  /** Requests per second that the API accepts, and twice as many at once. Default: 1000. */
  readonly throttleRate: number;
  /** The same for `/api/manage`, which is limited separately. Default: 100. */
  readonly manageThrottleRate: number;
  /**
   * Reserved concurrency by function name: what a function always gets and never exceeds; a JSON object. Default: none; all
   * functions share the account's.
   */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** The account's quota of concurrent executions, which the deployment reads. Default: AWS's, 1000. */
  readonly accountConcurrency: number;
  /**
   * The OpenID provider of the operators, from `oidcIssuer` and `oidcAudience`: both or neither. Its access tokens must
   * contain the scope of the Management API. Default: a user pool that the stack creates.
   */
  readonly operatorTokens: OperatorTokens | undefined;
  /**
   * How operators get their roles. Tokens: from `oidcRoleClaim`, a claim that lists groups, and `oidcRoles`, the role of each
   * group, or else from the groups of the stack's user pool. IAM: from `iamRoles`, the role of each pattern of ARNs, or
   * `viewer` if none matches; without `iamRoles` every identity is an `admin`.
   */
  readonly operatorRoles: OperatorRoleSettings;
  /**
   * The URLs to which operators return after login and logout at the stack's user pool, separated by commas; compared exactly.
   * Default: `http://localhost:3000/` in `dev`, otherwise none.
   */
  readonly dashboardUrls: readonly string[];
  /**
   * The folder of the built dashboard, which is left out if it is missing; from `dashboard`, where `none` always leaves it
   * out. Default: the built dashboard of this project.
   */
  readonly dashboardFolder: string | undefined;
  /** From `dashboardDomain` and `dashboardCertificateArn`: both or neither. Default: CloudFront's own name. */
  readonly dashboardDomain: OwnDomain | undefined;
  /** From `apiDomain` and `apiCertificateArn`, of the stack's Region: both or neither. Default: API Gateway's own name. */
  readonly apiDomain: OwnDomain | undefined;
  /** Whether the API also answers at API Gateway's own name when it has an `apiDomain`: `on` or `off`. Default: `on`. */
  readonly executeApi: 'on' | 'off';
  /** The dashboard's client id at the provider of `oidcIssuer`. Default: `oidcAudience`. */
  readonly oidcClientId: string | undefined;
  /**
   * The e-mail address that receives alarms, once its owner confirms the subscription e-mail from AWS. Default: the topic's
   * subscribers; in `dev` none.
   */
  readonly alarmEmail: string | undefined;
  /** US dollars per month at which the alarms' topic is notified. Default: no budget. */
  readonly monthlyBudget: number | undefined;
  /** From `backupVaultArn` and `backupRetentionDays`. Default: only the backups of the table itself. */
  readonly backup: BackupSettings | undefined;
  /** The bucket of a second account that keeps signed heads of all chains. Default: none are signed. */
  readonly headsBucket: string | undefined;
  /**
   * `on` or `off`: whether the canary calls the service each minute. Default: where releases are canaries, unless
   * `allowedCidrs` excludes it.
   */
  readonly canary: 'on' | 'off';
  /** What `npm run deploy` imports with the synthesized template. Undefined: nothing; the template is to be deployed. */
  readonly adoption: Adoption | undefined;
  /** The settings whose losses the operator has confirmed for this deployment. */
  readonly confirmedChanges: readonly LosingSetting[];
}

/** Reads the settings of the chosen stage and Region from the context; throws on an invalid one and names it. */
export function readSettings(node: Node): Settings {
  return checkSettings(node, selectSettings(node));
}

/**
 * Checks settings, which may depend on what a deployment gives in the context; throws on an invalid one and names it. `names` are
 * those of a service whose names are not the stage's.
 */
export function checkSettings(
  node: Node,
  given: GivenSettings,
  names: Partial<Pick<Stage, 'stackName' | 'serviceName'>> = {},
): Settings {
  const stage = { ...readStage(given), ...names };
  const reservedConcurrency = readReservedConcurrency(given);
  return {
    ...readStorage(node, given, stage),
    ...readAccount(node, stage),
    stage,
    provisionedConcurrency: readProvisionedConcurrency(given, stage),
    release: readRelease(given),
    publicAuthorities: readList(given, 'publicAuthorities').join(','),
    region: readRegion(given),
    allowedCidrs: readAllowedCidrs(given),
    endpoints: readEndpoints(given),
    webhooks: readListOf(given, 'webhooks'),
    ...readLogin(given, stage),
    keyStateCacheSeconds: readKeyStateCacheSeconds(given),
    changeRetentionDays: readPositiveInteger(given, 'changeRetentionDays', stage.changeRetentionDays),
    requireReason: readRequireReason(given),
    throttleRate: readPositiveInteger(given, 'throttleRate', 1000),
    manageThrottleRate: readPositiveInteger(given, 'manageThrottleRate', 100),
    reservedConcurrency,
    accountConcurrency: readAccountConcurrency(node, reservedConcurrency),
    operatorTokens: readOperatorTokens(given),
    operatorRoles: readOperatorRoles(given),
    dashboardUrls: readDashboardUrls(given, stage),
    dashboardFolder: readDashboardFolder(given),
    // CloudFront accepts only certificates in us-east-1.
    dashboardDomain: readDomain(given, 'dashboard', 'us-east-1'),
    apiDomain: readDomain(given, 'api', readText(given, 'region')),
    executeApi: readExecuteApi(given),
    oidcClientId: readText(given, 'oidcClientId'),
    alarmEmail: readText(given, 'alarmEmail'),
    monthlyBudget: readMonthlyBudget(given),
    backup: readBackup(given),
    headsBucket: readHeadsBucket(given),
    canary: readCanary(given, stage),
    adoption: readAdoption(node, given, stage),
    confirmedChanges: readConfirmedChanges(node),
  };
}

function readStage(given: GivenSettings): Stage {
  const stage = stages[given.stage];
  return {
    ...stage,
    canary: stage.canary || readText(given, 'release') !== undefined,
    tracing: readSwitch(given, 'tracing', stage.tracing),
    accessLog: readSwitch(given, 'accessLog', stage.accessLog),
  };
}

/** The canary's requests come from an address of AWS that cannot be known in advance. */
function readCanary(given: GivenSettings, stage: Stage): Settings['canary'] {
  const isExcluded = readList(given, 'allowedCidrs').length > 0;
  const isOn = readSwitch(given, 'canary', stage.canary && !isExcluded);
  if (isOn && isExcluded) {
    throw new Error('The setting canary can be on only without allowedCidrs, which would refuse its requests');
  }
  return isOn ? 'on' : 'off';
}

function readRelease(given: GivenSettings): Release {
  const release = readText(given, 'release') ?? 'canary';
  if (release === 'canary' || release === 'at-once') return release;
  throw new Error(`The setting release must be canary or at-once, not ${release}`);
}

function readRequireReason(given: GivenSettings): ReasonDemand | undefined {
  const text = readText(given, 'requireReason');
  const demand = reasonDemands.find((one) => one === text);
  if (demand !== undefined || text === undefined) return demand;
  throw new Error(`The setting requireReason must be ${reasonDemands.join(' or ')}, not ${text}`);
}

function readDashboardFolder(given: GivenSettings): string | undefined {
  const folder = readText(given, 'dashboard') ?? dashboardFolder;
  return folder === 'none' ? undefined : folder;
}

function readMonthlyBudget(given: GivenSettings): number | undefined {
  return readText(given, 'monthlyBudget') === undefined ? undefined : readPositiveInteger(given, 'monthlyBudget', 1);
}
