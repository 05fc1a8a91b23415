import { join } from 'node:path';
import type { Node } from 'constructs';
import { readCidr } from '#shared/core/config.ts';
import type { OperatorRoleSettings } from '#shared/core/operator-roles.ts';
import type { Release } from './canary-release.ts';
import { readList, readPositiveInteger, readText } from './context-value.ts';
import type { OperatorTokens } from './manage-api.ts';
import { readOperatorRoles } from './operator-role-settings.ts';
import { type OwnDomain, readDomain } from './own-domain.ts';
import { readRegion, readReplicaRegions, readRootKeyVersions, readTableStreamArn } from './region-settings.ts';
import type { RootKeyVersion } from './root-key.ts';
import { type Stage, stages } from './stages.ts';
import type { WebhookSettings } from './webhook.ts';

/** The settings of a deployment, from `-c <name>=<value>` or `context` in `cdk.json`. */
export interface Settings {
  /** `dev`, `staging` or `prod`. Default: `dev`. */
  readonly stage: Stage;
  /** `canary` or `at-once`, where the stage has canary releases. Default: `canary`. */
  readonly release: Release;
  /** Host names of a proxy in front that clients sign as `@authority`, separated by commas. Default: none. */
  readonly publicAuthorities: string;
  /** The Region of the stack, for settings that depend on it. Default: the deployer's Region. */
  readonly region: string | undefined;
  /** The Regions for replicas of the table and the root keys, separated by commas. Default: none. */
  readonly replicaRegions: readonly string[];
  /** The stream ARN of an existing table: a restored one, or another Region's replica. Default: the stack creates a table. */
  readonly tableStreamArn: string | undefined;
  /**
   * The root keys, oldest first: new API keys are derived from the last one; those of a version that is removed stop
   * verifying. From `rootKeyVersions`, such as `k1,k2`, which the stack creates; or from `primaryRootKeys`, the output
   * `RootKeys` of another Region's stack, whose keys the stack replicates. Default: `k1`.
   */
  readonly rootKeyVersions: readonly RootKeyVersion[];
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
   * character by character. Default: `http://localhost:3000/`.
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
}

/** Reads the settings from the context; throws on an invalid one and names it. */
export function readSettings(node: Node): Settings {
  const stage = readStage(node);
  return {
    stage,
    release: readRelease(node, stage),
    publicAuthorities: String(node.tryGetContext('publicAuthorities') ?? ''),
    region: readRegion(node),
    replicaRegions: readReplicaRegions(node),
    tableStreamArn: readTableStreamArn(node),
    rootKeyVersions: readRootKeyVersions(node),
    allowedCidrs: readAllowedCidrs(node),
    keyStateCacheSeconds: readKeyStateCacheSeconds(node),
    changeRetentionDays: readPositiveInteger(node, 'changeRetentionDays', stage.changeRetentionDays),
    throttleRate: readPositiveInteger(node, 'throttleRate', 1000),
    throttleBurst: readPositiveInteger(node, 'throttleBurst', 2000),
    operatorTokens: readOperatorTokens(node),
    operatorRoles: readOperatorRoles(node),
    dashboardUrls: readDashboardUrls(node),
    dashboardFolder: readDashboardFolder(node),
    // CloudFront accepts only certificates in us-east-1.
    dashboardDomain: readDomain(node, 'dashboard', 'us-east-1'),
    apiDomain: readDomain(node, 'api', readText(node, 'region')),
    executeApi: readExecuteApi(node),
    oidcClientId: readText(node, 'oidcClientId'),
    loginDomainPrefix: readLoginDomainPrefix(node),
    webhook: readWebhook(node),
    alarmEmail: readText(node, 'alarmEmail'),
  };
}

function readStage(node: Node): Stage {
  const name = readText(node, 'stage') ?? 'dev';
  if (Object.hasOwn(stages, name)) return stages[name as Stage['name']];
  throw new Error(`The context value stage must be one of ${Object.keys(stages).join(', ')}, not ${name}`);
}

function readRelease(node: Node, stage: Stage): Release {
  const release = readText(node, 'release');
  if (release === undefined) return 'canary';
  if (!stage.canary)
    throw new Error(`The context value release is for stages with canary releases, unlike ${stage.name}`);
  if (release === 'canary' || release === 'at-once') return release;
  throw new Error(`The context value release must be canary or at-once, not ${release}`);
}

function readAllowedCidrs(node: Node): string[] {
  const ranges = readList(node, 'allowedCidrs');
  // The environment variables of a function are limited to 4 KB in total.
  if (ranges.join().length > 2000) throw new Error('The context value allowedCidrs may have at most 2,000 characters');
  const refused = ranges.find((range) => readCidr(range) === undefined);
  if (refused === undefined) return ranges;
  throw new Error(
    `The context value allowedCidrs must list ranges such as 203.0.113.0/24,2001:db8::/32; not ${refused}`,
  );
}

function readKeyStateCacheSeconds(node: Node): number {
  const text = readText(node, 'keyStateCacheSeconds') ?? '0';
  if (/^\d{1,3}$/.test(text) && Number(text) <= 300) return Number(text);
  throw new Error(`The context value keyStateCacheSeconds must be a whole number from 0 to 300, not ${text}`);
}

function readOperatorTokens(node: Node): OperatorTokens | undefined {
  const [issuer, audience] = [readText(node, 'oidcIssuer'), readText(node, 'oidcAudience')];
  if (issuer === undefined && audience === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new Error('The context values oidcIssuer and oidcAudience go together: give both, or neither');
  }
  if (!isIssuer(issuer)) {
    throw new Error(`The context value oidcIssuer must be an https URL without query and fragment, not ${issuer}`);
  }
  return { issuer, audience };
}

/** As OpenID Connect Discovery 1.0, section 3, defines it. */
function isIssuer(text: string): boolean {
  return URL.canParse(text) && text.startsWith('https://') && !/[?#\s]/.test(text);
}

function readDashboardUrls(node: Node): string[] {
  const urls = (readText(node, 'dashboardUrls') ?? 'http://localhost:3000/').split(',').map((url) => url.trim());
  const refused = urls.find((url) => !isCallbackUrl(url));
  if (refused === undefined) return urls;
  throw new Error(`The context value dashboardUrls must hold https URLs without a fragment, not ${refused}`);
}

function readDashboardFolder(node: Node): string | undefined {
  const folder = readText(node, 'dashboard') ?? join(import.meta.dirname, '../dashboard/dist');
  return folder === 'none' ? undefined : folder;
}

/** API Gateway's own endpoint can be off only with a custom domain: the API would not be reachable. */
function readExecuteApi(node: Node): Settings['executeApi'] {
  const executeApi = readText(node, 'executeApi') ?? 'on';
  if (executeApi !== 'on' && executeApi !== 'off') {
    throw new Error(`The context value executeApi must be on or off, not ${executeApi}`);
  }
  if (executeApi === 'on' || readText(node, 'apiDomain') !== undefined) return executeApi;
  throw new Error(
    'The context value executeApi can be off only with apiDomain: otherwise the API would not be reachable',
  );
}

/**
 * Cognito accepts `http` only for `localhost`.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
 */
function isCallbackUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}

/**
 * Cognito rejects prefixes with its own name or that of AWS.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-assign-domain-prefix.html
 */
function readLoginDomainPrefix(node: Node): string | undefined {
  const prefix = readText(node, 'loginDomainPrefix');
  if (prefix === undefined) return undefined;
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(prefix) && !/aws|amazon|cognito/.test(prefix)) return prefix;
  throw new Error(
    `The context value loginDomainPrefix must be a host name's label without aws, amazon and cognito, not ${prefix}`,
  );
}

/** EventBridge posts only to public https addresses, and always with an authorization. */
function readWebhook(node: Node): WebhookSettings | undefined {
  const [url, secretName] = [readText(node, 'webhookUrl'), readText(node, 'webhookSecretName')];
  if (url === undefined && secretName === undefined) return undefined;
  if (url === undefined || secretName === undefined) {
    throw new Error('The context values webhookUrl and webhookSecretName go together: give both, or neither');
  }
  if (!URL.canParse(url) || !/^https:\/\/[^\s@#*]+$/.test(url)) {
    throw new Error(`The context value webhookUrl must be an https URL without credentials and fragment, not ${url}`);
  }
  return {
    url,
    secretName,
    header: readText(node, 'webhookHeader') ?? 'authorization',
    ratePerSecond: readPositiveInteger(node, 'webhookRate', 10),
  };
}
