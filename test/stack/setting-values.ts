import * as endpoints from '#options/endpoints.ts';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { stages } from '../../lib/settings/stages.ts';
import type { Transition } from '../../lib/settings/storage-settings.ts';
import { type Context, builtDashboard as dashboard } from './synthesized-stack.ts';

const region = 'eu-central-1';
const certificate = (where: string) =>
  `arn:aws:acm:${where}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
const key = 'arn:aws:kms:eu-west-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';
const tableStreamArn = `arn:aws:dynamodb:${region}:123456789012:table/AuthService-<stage>-Items/stream/2026-11-20T19:14:11.123`;
const foreignLogin = {
  oidcIssuer: 'https://login.example.com/',
  oidcAudience: 'auth-service',
  oidcClientId: 'dashboard',
  oidcRoleClaim: 'groups',
  oidcRoles: '{"Help desk":"support:billing"}',
};
const company = { name: 'Example', domains: ['example.com'] };
const clientAtCompany = {
  clientId: 'people',
  // Of each stage.
  clientSecretArn: `arn:aws:secretsmanager:${region}:123456789012:secret:<service>-login-1A2B3C`,
};
const apiDomain = { apiDomain: 'api.example.com', apiCertificateArn: certificate(region) };

const deployed = { replicaRegions: [], rootKeys: [{ name: 'k1' }, { name: 'k3' }], sharedRoots: true };
const transition = JSON.stringify({
  step: 'release',
  deployed: { ...deployed, tableArn: `arn:aws:dynamodb:${region}:123456789012:table/AuthService-earlier` },
} satisfies Transition);

/** Every setting with every kind of value that changes the stack; the first value of each is its default. */
export const settingValues: Readonly<Record<string, readonly Context[]>> = {
  stage: [{ stage: 'dev' }, { stage: 'staging' }, { stage: 'prod' }, { stage: 'prod', release: 'at-once' }],
  regions: [
    {},
    { region, replicaRegions: 'eu-west-1,eu-north-1' },
    { tableStreamArn },
    {
      region,
      tableStreamArn,
      standby: 'on',
      rootKeys: ['k1', 'k2', 'h1', 'c1', 'w1'].map((version) => `<stage>/${version}=${key}`).join(),
    },
  ],
  dashboard: [
    { dashboard: 'none' },
    { dashboard },
    { dashboard, dashboardDomain: 'auth.example.com', dashboardCertificateArn: certificate('us-east-1') },
  ],
  api: [{}, apiDomain, { ...apiDomain, executeApi: 'off' }],
  operators: [{}, foreignLogin, { dashboardUrls: 'https://auth.example.com/' }],
  rootKeys: [{}, { rootKeys: 'k1,k2' }, { rootKeys: 'k1,shared' }],
  transition: [{}, { [deploymentContext.transition]: transition }],
  iam: [
    {},
    { iamRoles: '{"arn:aws:sts::*:assumed-role/Desk/*":"support","arn:aws:iam::111122223333:user/root":"admin"}' },
  ],
  ready: [{}, { provisionedConcurrency: '{"get-access":2,"manage":1}' }],
  logs: [{}, { tracing: 'on', accessLog: 'off' }, { tracing: 'off', accessLog: 'on' }],
  canary: [{}, { canary: 'off' }],
  login: [
    {},
    { login: 'on' },
    { login: JSON.stringify({ provider: { ...company, issuer: 'https://login.example.com', ...clientAtCompany } }) },
    { login: JSON.stringify({ provider: { ...company, metadataUrl: 'https://login.example.com/metadata' } }) },
    { login: JSON.stringify({ branding: { name: 'Example', color: '#1a5276', logo: 'dashboard/favicon.svg' } }) },
  ],
  alarms: [{}, { alarmEmail: 'on-call@example.com' }],
  costs: [{}, { monthlyBudget: '250' }],
  backup: [
    {},
    {
      backupVaultArn: `arn:aws:backup:${region}:222233334444:backup-vault:AuthServiceBackupVault`,
      backupRetentionDays: '60',
    },
  ],
  heads: [{}, { headsBucket: 'authservice-backupvault-heads' }],
  addresses: [{}, { allowedCidrs: '203.0.113.0/24,2001:db8::/32' }],
  endpoints: [
    {},
    ...Object.keys(endpoints).map((set) => ({ endpoints: set })),
    { endpoints: Object.keys(endpoints).join(',') },
  ],
  webhooks: [{}, { webhooks: 'standard' }, { webhooks: 'standard,set' }],
  keyState: [{}, { keyStateCacheSeconds: '10' }],
  proxy: [{}, { publicAuthorities: 'auth.example.com' }],
  limits: [{}, { throttleRate: '50', changeRetentionDays: '90', requireReason: 'operators' }],
  overload: [
    {},
    {
      manageThrottleRate: '20',
      reservedConcurrency: '{"get-access":200,"manage":20}',
    },
  ],
};

/** A stage rejects tables and keys of another one. */
export function ofItsStage(context: Context): Context {
  const { stage = 'dev' } = context;
  const { serviceName } = stages[stage as keyof typeof stages];
  const fill = (value: string) => value.replaceAll('<stage>', stage).replaceAll('<service>', serviceName);
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, fill(value)]));
}
