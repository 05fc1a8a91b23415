/**
 * The settings of a service, all optional: what `cdk.json` has for a stage, with the same names, checks and defaults. Lists may be
 * lists or texts with commas. What each one does, and what follows from it: docs/operate/settings.md.
 */
export interface AuthServiceProps {
  /**
   * `dev` is for experiments; `staging` and `prod` release as canaries; `prod` retains its data, and needs the dashboard unless
   * `dashboard` is `none`. Default: `dev`.
   */
  readonly stage?: 'dev' | 'staging' | 'prod';
  /**
   * The prefix of physical names, unique in an account and Region, and the `service` of logs and metrics. Default: `auth-service`
   * in `prod`, otherwise with the name of the stage, such as `auth-service-dev`.
   */
  readonly serviceName?: string;
  /** `canary` or `at-once`. Default: `canary` in a stage with canary releases; `dev` gets them with this setting. */
  readonly release?: 'canary' | 'at-once';

  /** The Regions for replicas of the table and the root keys. The stack needs a Region of its own. Default: none. */
  readonly replicaRegions?: string | readonly string[];
  /** The ARN of the stream of an existing table, to use instead of a new one. Default: the service creates its table. */
  readonly tableStreamArn?: string;
  /** Whether the service stands by for the Region that writes; requires `tableStreamArn`. Default: false. */
  readonly standby?: boolean | string;
  /**
   * The versions of the root keys, those of each purpose oldest first, such as `k1,k2`, or the output `RootKeys` of another Region.
   * With `shared` among them, those of API keys also serve every other purpose. Default: the first of each purpose.
   */
  readonly rootKeys?: string | readonly string[];

  /** The host name at which clients call the API; its DNS record is yours. Default: API Gateway's own name. */
  readonly apiDomain?: string;
  /** The ARN of a certificate for `apiDomain`, of the Region of the stack. */
  readonly apiCertificateArn?: string;
  /** Whether the API also answers at API Gateway's own name when it has an `apiDomain`. Default: true. */
  readonly executeApi?: boolean | string;
  /** Host names of a proxy in front of the API that clients sign as `@authority`. Default: none. */
  readonly publicAuthorities?: string | readonly string[];
  /** The address ranges that may call the Service API. Default: all. */
  readonly allowedCidrs?: string | readonly string[];
  /** The sets of endpoints for connections: `evaluate`, `hooks`, `scim`. Default: none. */
  readonly endpoints?: string | readonly string[];
  /** The formats in which webhooks can be delivered: `standard`, `set`. Default: none, and no webhooks. */
  readonly webhooks?: string | readonly string[];
  /**
   * Whether people log in to applications by a user pool of the stack, or an object that switches it on: `provider` is the OpenID or
   * SAML provider of a company, and `branding` has `name`, `color` and `logo`. Default: false.
   */
  readonly login?: boolean | string | Readonly<Record<string, unknown>>;
  /** Seconds, up to 300, for which reads may use a cached state of an application's keys. Default: 0. */
  readonly keyStateCacheSeconds?: number | string;
  /** Requests per second that the API accepts, and twice as many at once. Default: 1000. */
  readonly throttleRate?: number | string;
  /** The same for the Management API. Default: 100. */
  readonly manageThrottleRate?: number | string;
  /** Provisioned concurrency by function name, in a stage with canary releases. Default: none. */
  readonly provisionedConcurrency?: Readonly<Record<string, number>> | string;
  /** Reserved concurrency by function name. Default: none. */
  readonly reservedConcurrency?: Readonly<Record<string, number>> | string;

  /** Days that a Change is kept in the table. Default: 365 in `prod`, otherwise 30. */
  readonly changeRetentionDays?: number | string;
  /** Whose changes require a reason: `operators` or `all`. Default: nobody's. */
  readonly requireReason?: 'operators' | 'all' | string;

  /** The e-mail address that receives alarms, once its owner confirms the e-mail from AWS. Default: the topic's subscribers. */
  readonly alarmEmail?: string;
  /** US dollars per month at which the alarms' topic is notified. Default: no budget. */
  readonly monthlyBudget?: number | string;
  /** Whether X-Ray records requests. Default: in `dev`. */
  readonly tracing?: boolean | string;
  /** Whether API Gateway logs every request too. Default: in `dev`. */
  readonly accessLog?: boolean | string;
  /** Whether the canary calls the service each minute. Default: where releases are canaries, unless `allowedCidrs` excludes it. */
  readonly canary?: boolean | string;
  /** The vault in another account that keeps a copy of each backup. Default: only the backups of the table itself. */
  readonly backupVaultArn?: string;
  /** Days that such a copy is kept. Default: 35. */
  readonly backupRetentionDays?: number | string;
  /** The bucket of a second account that keeps signed heads of all chains. Default: none are signed. */
  readonly headsBucket?: string;

  /** The issuer of the operators' tokens, together with `oidcAudience`. Default: a user pool that the service creates. */
  readonly oidcIssuer?: string;
  /** The audience of those tokens. */
  readonly oidcAudience?: string;
  /** The dashboard's client id at that provider. Default: `oidcAudience`. */
  readonly oidcClientId?: string;
  /** The claim of those tokens that lists groups, together with `oidcRoles`. */
  readonly oidcRoleClaim?: string;
  /** The operator's role by group, such as `{ helpdesk: 'support' }`. */
  readonly oidcRoles?: Readonly<Record<string, string>> | string;
  /** The operator's role by pattern of IAM ARNs. Default: every identity that may call the function URL is an `admin`. */
  readonly iamRoles?: Readonly<Record<string, string>> | string;

  /** Where operators return after a login, besides the dashboard. Default: `http://localhost:3000/` in `dev`. */
  readonly dashboardUrls?: string | readonly string[];
  /** The host name of the dashboard; its DNS record is yours. Default: CloudFront's own name. */
  readonly dashboardDomain?: string;
  /** The ARN of a certificate for `dashboardDomain`, of us-east-1. */
  readonly dashboardCertificateArn?: string;
  /** `none`, or the folder of a dashboard that you have built. Default: the dashboard that is part of this package. */
  readonly dashboard?: string;
}
