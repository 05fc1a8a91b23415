import {
  builtDashboard,
  type Context,
  synthesizeSmallStack,
  synthesizeTemplate,
  type Template,
} from '../synthesized-stack.ts';

const region = 'eu-central-1';
const certificateOf = (where: string) =>
  `arn:aws:acm:${where}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
const key = 'arn:aws:kms:eu-west-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';

/** Deployed by the bootstrap that `npm run bootstrap` creates. */
const accounts = JSON.stringify({ dev: { bootstrap: 'own' }, prod: { bootstrap: 'own' } });

/** Every optional part of the service's stack, and the parts of a standby. */
const contexts: Readonly<Record<string, Context>> = {
  everything: {
    stage: 'prod',
    region,
    replicaRegions: 'eu-west-1',
    tracing: 'on',
    accessLog: 'on',
    dashboard: builtDashboard,
    dashboardDomain: 'auth.example.com',
    dashboardCertificateArn: certificateOf('us-east-1'),
    apiDomain: 'api.example.com',
    apiCertificateArn: certificateOf(region),
    webhooks: 'standard,set',
    login: JSON.stringify({
      branding: { logo: 'dashboard/favicon.svg' },
      provider: {
        name: 'Example',
        domains: ['example.com'],
        issuer: 'https://login.example.com',
        clientId: 'people',
        clientSecretArn: `arn:aws:secretsmanager:${region}:123456789012:secret:auth-service-login-1A2B3C`,
      },
    }),
    alarmEmail: 'on-call@example.com',
    monthlyBudget: '250',
    provisionedConcurrency: '{"get-access":2}',
    backupVaultArn: `arn:aws:backup:${region}:222233334444:backup-vault:AuthServiceBackupVault`,
    backupRetentionDays: '60',
    headsBucket: 'authservice-backupvault-heads',
  },
  standby: {
    stage: 'prod',
    region,
    rootKeys: ['k1', 'h1', 'c1', 'w1'].map((version) => `prod/${version}=${key}`).join(),
    tableStreamArn: `arn:aws:dynamodb:${region}:123456789012:table/AuthService-prod-Items/stream/2026-11-20T19:14:11.123`,
  },
  dev: { stage: 'dev', release: 'canary' },
};

/**
 * The templates of the service's stack and of those beside it in its account, which together have every kind of resource. The
 * vault of the backups is deployed by the administrators of another account, with their own bootstrap.
 */
export async function everyTemplate(): Promise<Map<string, Template>> {
  const names = Object.keys(contexts);
  const own = await Promise.all(names.map((name) => synthesizeTemplate({ ...contexts[name], accounts })));
  const small = ['role-watch', 'log-queries'] as const;
  const others = await Promise.all(
    small.map((kind) => synthesizeSmallStack(kind, { alarmEmail: 'on-call@example.com' })),
  );
  return new Map([
    ...names.map((name, at) => [name, own[at]] as const),
    ...small.map((name, at) => [name, others[at]?.template] as const),
  ] as [string, Template][]);
}
