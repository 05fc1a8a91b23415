import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import * as options from '#options/stack.ts';
import { manageScope } from '#shared/contract/operation.ts';
import { ManageApi } from './api/manage-api.ts';
import { ServiceApi } from './api/service-api.ts';
import { Backup } from './data/backup.ts';
import { ChangeEvents } from './data/change-events.ts';
import { RootKey } from './data/root-key.ts';
import { Table } from './data/table.ts';
import { addBudget } from './monitoring/cost-control.ts';
import { functionsOf } from './monitoring/monitored-metrics.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import type { OptionPart } from './monitoring/option-part.ts';
import { RootKeyWatch } from './monitoring/root-key-watch.ts';
import { serviceVersion } from './operators/dashboard-delivery.ts';
import { DashboardSite } from './operators/dashboard-site.ts';
import { documentationFolder } from './operators/documentation-folder.ts';
import { OperatorLogin } from './operators/operator-login.ts';
import { DocsRoute, SiteDeployment } from './operators/site-deployment.ts';
import type { AddToStack, CoreStack } from './option-stack.ts';
import { CanaryRelease } from './releases/canary-release.ts';
import { DataGuard } from './releases/data-guard.ts';
import { dataSettingsOf } from './releases/data-settings.ts';
import { requireFunctions } from './settings/concurrency-settings.ts';
import type { OperatorTokens } from './settings/login-settings.ts';
import { regionLimits } from './settings/region-limits.ts';
import type { Settings } from './settings/settings.ts';
import type { Stage as ServiceStage } from './settings/stages.ts';
import { unsupportedChanges } from './unsupported-changes.ts';

/** The constructs of the service: the core's, then those of the options that the settings switch on. */
export class ServiceParts extends Construct implements CoreStack {
  readonly table: Table;
  readonly rootKey: RootKey;
  readonly serviceApi: ServiceApi;
  readonly manageApi: ManageApi;
  readonly changeEvents: ChangeEvents;

  /** What the options have added. */
  readonly options: readonly OptionPart[];

  readonly settings: Settings;
  readonly monitoring: Monitoring;

  /** Absent until the dashboard has been built. */
  readonly dashboardSite: DashboardSite | undefined;

  constructor(scope: Construct, id: string, props: Settings) {
    const { stage, replicaRegions } = props;
    super(scope, id);
    this.settings = props;
    this.table = new Table(this, 'Table', {
      stage,
      replicaRegions,
      streamArn: props.tableStreamArn,
      grantedArns: props.grantedTables,
      adoptedName: props.adoption?.tableName,
    });
    this.rootKey = new RootKey(this, 'RootKey', {
      stage,
      versions: props.rootKeys,
      granted: props.grantedRootKeys,
      shared: props.sharedRoots,
      replicaRegions,
      adopted: props.adoption?.rootKeys,
    });
    this.serviceApi = new ServiceApi(this, 'ServiceApi', { ...props, table: this.table, rootKey: this.rootKey });
    const tokens = props.operatorTokens ?? this.#createLogin(props);
    this.manageApi = new ManageApi(this, 'ManageApi', {
      stage,
      table: this.table,
      rootKey: this.rootKey,
      httpApi: this.serviceApi.httpApi,
      tokens,
      operatorRoles: props.operatorRoles,
      changeRetentionDays: props.changeRetentionDays,
      requireReason: props.requireReason,
      webhooks: props.webhooks,
      provisionedConcurrency: props.provisionedConcurrency.manage,
    });
    this.serviceApi.limitRoute(this.manageApi.route, props.manageThrottleRate);
    this.changeEvents = new ChangeEvents(this, 'ChangeEvents', {
      ...props,
      table: this.table,
      rootKey: this.rootKey,
    });
    this.options = Object.values<AddToStack>(options).flatMap((add) => add(this, props) ?? []);
    this.#reserveConcurrency(props);
    this.monitoring = new Monitoring(this, 'Monitoring', {
      stage,
      serviceApi: this.serviceApi,
      manageApi: this.manageApi,
      changeEvents: this.changeEvents,
      table: this.table,
      options: this.options,
      accountConcurrency: props.accountConcurrency,
      alarmEmail: props.alarmEmail,
    });
    this.#addCanaryRelease(props);
    const keyArns = [...this.rootKey.keyArns, ...this.options.flatMap(({ keyArns: ofOption = [] }) => ofOption)];
    new RootKeyWatch(this, 'RootKeyWatch', { stage, keyArns, topic: this.monitoring.topic });
    if (props.backup !== undefined) {
      new Backup(this, 'Backup', { stage, table: this.table, topic: this.monitoring.topic, ...props.backup });
    }
    addBudget(this, stage, props.monthlyBudget, this.monitoring.topic);
    new CfnOutput(this, 'AlarmTopicArn', {
      value: this.monitoring.topic.topicArn,
      description: 'SNS topic of the alarms: subscribe to be notified',
    });
    this.#warnOfLimits(props);
    this.dashboardSite = this.#createSite(props, tokens);
    this.#addOutputs(props, tokens);
    const operatorLogin = tokens instanceof OperatorLogin ? tokens : undefined;
    new DataGuard(this, 'DataGuard', { ...props, table: this.table, rootKey: this.rootKey, operatorLogin });
    this.node.addValidation({ validate: () => unsupportedChanges(this) });
  }

  /** The CLI gives the Region of the credentials where the settings name none. */
  #warnOfLimits(props: Settings): void {
    const { region = process.env.CDK_DEFAULT_REGION, accountConcurrency } = props;
    const createsUserPool = props.operatorTokens === undefined;
    for (const [at, limit] of regionLimits({ region, accountConcurrency, createsUserPool }).entries()) {
      Annotations.of(this).addWarningV2(`auth-service:limit-${at}`, limit);
    }
  }

  #reserveConcurrency({ reservedConcurrency }: Settings): void {
    const functions = functionsOf(this);
    requireFunctions(
      Object.keys(reservedConcurrency),
      functions.map(({ name }) => name),
    );
    for (const fn of functions) {
      const environments = reservedConcurrency[fn.name];
      if (environments !== undefined) fn.reserveConcurrency(environments);
    }
  }

  #addCanaryRelease({ stage, release }: Settings): void {
    if (!stage.canary) return;
    const functions = functionsOf(this).filter(({ alias }) => alias !== undefined);
    const [createCheck] = this.options.flatMap(({ createReleaseCheck = [] }) => createReleaseCheck);
    const check = release === 'canary' ? createCheck?.() : undefined;
    if (check !== undefined) this.manageApi.addOperator(check.operatorArn, 'support');
    const { application } = new CanaryRelease(this, 'CanaryRelease', {
      release,
      functions: functions.flatMap((fn) =>
        fn.alias === undefined ? [] : [{ alias: fn.alias, alarms: this.monitoring.rollbackAlarmsOf(fn) }],
      ),
      check: check?.function.function as IFunction | undefined,
    });
    check?.checkVersions(functions, application);
  }

  /** Outputs the client id, which the dashboard needs; with another provider, the operator already knows it. */
  #createLogin(props: Settings): OperatorLogin {
    const hasPages = props.dashboardFolder !== undefined || props.dashboardUrls.length > 0;
    const login = new OperatorLogin(this, 'OperatorLogin', {
      ...props,
      hasPages,
      adoptedId: props.adoption?.userPoolId,
    });
    new CfnOutput(this, 'OidcClientId', { value: login.audience, description: 'Client id of the dashboard' });
    return login;
  }

  #createSite(props: Settings, tokens: OperatorTokens): DashboardSite | undefined {
    const { dashboardFolder: folder, dashboardDomain: domain } = props;
    if (folder === undefined) return undefined;
    if (!existsSync(join(folder, 'index.html'))) {
      if (Stack.of(this).bundlingRequired) requireDashboard(props.stage, folder);
      Annotations.of(this).addInfoV2(
        'auth-service:dashboard',
        `The dashboard is left out because ${folder} has not been built.`,
      );
      return undefined;
    }
    const login = tokens instanceof OperatorLogin ? tokens : undefined;
    const connectTo = login?.origins ?? [new URL(tokens.issuer).origin];
    const apiHost = this.serviceApi.originHost;
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const site = new DashboardSite(this, 'DashboardSite', { apiHost, connectTo, page, domain });
    this.serviceApi.acceptAuthorities(site.authorities);
    login?.addReturnUrls(site.urls);
    const clientId = props.oidcClientId ?? tokens.audience;
    // The client of the stack's user pool is not allowed the scope `profile`.
    const scope = `openid email ${login === undefined ? 'profile ' : ''}${manageScope}`;
    const deployed = { serviceUrl: this.serviceApi.url, stage: props.stage.name, version: serviceVersion };
    const settings = { issuer: tokens.issuer, clientId, scope, ...deployed };
    const docs = documentationFolder();
    new SiteDeployment(site, 'Deployment', { stage: props.stage, bucket: site.bucket, folder, docs, login: settings });
    const docsRoute = new DocsRoute(site, 'Docs', { httpApi: this.serviceApi.httpApi, siteUrl: site.urls[0] ?? '' });
    this.serviceApi.limitRoute(docsRoute.route);
    new CfnOutput(this, 'DashboardUrl', { value: site.urls[0] ?? '' });
    if (domain !== undefined) {
      new CfnOutput(this, 'DashboardDomainTarget', {
        value: site.distribution.distributionDomainName,
        description: `Target of the CNAME record of ${domain.name}`,
      });
    }
    return site;
  }

  #addOutputs(props: Settings, tokens: OperatorTokens): void {
    const { stage } = props;
    new CfnOutput(this, 'ApiUrl', { value: this.serviceApi.url, description: 'Base URL of the Service API' });
    new CfnOutput(this, 'TableName', { value: this.table.resource.tableName });
    new CfnOutput(this, 'EventBusName', {
      value: this.changeEvents.bus.eventBusName,
      description: 'Event bus with an event for each change',
    });
    new CfnOutput(this, 'RootKeys', {
      value: this.rootKey.versions.map(({ name, keyArn }) => `${stage.name}/${name}=${keyArn}`).join(','),
      description: 'Root key versions and their KMS keys, for the setting rootKeys of another Region',
    });
    new CfnOutput(this, 'DataSettings', {
      value: JSON.stringify(dataSettingsOf(props)),
      description: 'Settings that the data depends on; a deployment that drops one of them is refused',
    });
    new CfnOutput(this, 'ManageUrl', {
      value: this.manageApi.url.url,
      description: 'Function URL of the Management API, for requests signed with SigV4',
    });
    new CfnOutput(this, 'ManageCallersPolicyArn', {
      value: this.manageApi.callerPolicy.managedPolicyArn,
      description: 'Policy for identities that call the Management API at the function URL',
    });
    new CfnOutput(this, 'IamOperators', {
      value: describeIamOperators(props),
      description: 'Which IAM identities may do what with the Management API',
    });
    new CfnOutput(this, 'OidcIssuer', { value: tokens.issuer, description: "Issuer of the operators' tokens" });
  }
}

function describeIamOperators({ operatorRoles: { arns } }: Settings): string {
  if (Object.keys(arns).length > 0) return 'As iamRoles says; an identity that matches no pattern is a viewer';
  return 'WARNING: every identity that may invoke the function URL is an admin. Set iamRoles to limit that';
}

/** Otherwise a deployment from a folder without a built dashboard would delete the deployed one. */
function requireDashboard({ name, requiresDashboard }: ServiceStage, folder: string): void {
  if (!requiresDashboard) return;
  throw new Error(
    `The stage ${name} requires the dashboard, but ${folder} has no index.html. To deploy without a dashboard, set dashboard=none`,
  );
}
