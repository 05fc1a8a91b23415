import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings/settings.ts';
import { stages } from '../../lib/settings/stages.ts';
import { contextOf } from '../support/stack-context.ts';

const apiCertificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const vaultArn = 'arn:aws:backup:eu-central-1:222233334444:backup-vault:Copies';
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';

test("by default the stage is dev, changes are kept for a month, the throttle is 1000 requests per second with a burst of 2000, and the login is the stack's own", () => {
  expect(readContext({})).toEqual({
    stage: stages.dev,
    provisionedConcurrency: {},
    accountConcurrency: 1000,
    release: 'canary',
    region: undefined,
    replicaRegions: [],
    tableStreamArn: undefined,
    standby: 'off',
    grantedTables: [],
    rootKeys: [{ name: 'k1' }, { name: 'h1' }, { name: 'c1' }, { name: 'w1' }],
    sharedRoots: 'off',
    grantedRootKeys: [],
    allowedCidrs: [],
    endpoints: [],
    webhooks: [],
    login: 'off',
    keyStateCacheSeconds: 0,
    publicAuthorities: '',
    changeRetentionDays: 30,
    requireReason: undefined,
    throttleRate: 1000,
    manageThrottleRate: 100,
    reservedConcurrency: {},
    operatorTokens: undefined,
    operatorRoles: { token: { claim: 'cognito:groups' }, arns: {} },
    dashboardUrls: ['http://localhost:3000/'],
    dashboardFolder: join(import.meta.dirname, '../../dashboard/dist'),
    dashboardDomain: undefined,
    apiDomain: undefined,
    executeApi: 'on',
    oidcClientId: undefined,
    alarmEmail: undefined,
    monthlyBudget: undefined,
    backup: undefined,
    headsBucket: undefined,
    canary: 'off',
    bootstrap: 'standard',
    confirmedChanges: [],
  });
});

test('whose changes require a reason is one of two', () => {
  expect(readContext({ requireReason: 'operators' })).toMatchObject({ requireReason: 'operators' });
  expect(() => readContext({ requireReason: 'yes' })).toThrow('must be operators or all, not yes');
});

test('the canary is on where releases are canary releases, unless an allow list excludes it', () => {
  const canaryIn = (context: Record<string, unknown>) => readContext(context).canary;
  const allowedCidrs = '203.0.113.0/24';
  expect(['dev', 'staging', 'prod'].map((stage) => canaryIn({ stage }))).toEqual(['off', 'on', 'on']);
  expect([canaryIn({ canary: 'on' }), canaryIn({ stage: 'prod', canary: 'off' })]).toEqual(['on', 'off']);
  expect(canaryIn({ stage: 'prod', allowedCidrs })).toBe('off');
  expect(() => canaryIn({ stage: 'prod', allowedCidrs, canary: 'on' })).toThrow('only without allowedCidrs');
  expect(() => canaryIn({ canary: 'yes' })).toThrow('must be on or off, not yes');
});

test('the settings are read from the context, as text or as numbers', () => {
  const context = {
    stage: 'prod',
    release: 'at-once',
    region: 'eu-central-1',
    replicaRegions: 'eu-west-1,eu-south-2',
    rootKeys: 'k1, c2, shared, k2,k10',
    allowedCidrs: '203.0.113.0/24, 2001:db8::/32',
    endpoints: 'evaluate, scim,evaluate',
    webhooks: 'set, standard',
    login: 'on',
    keyStateCacheSeconds: '10',
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: '60',
    requireReason: 'all',
    throttleRate: 5,
    manageThrottleRate: 20,
    reservedConcurrency: '{"get-access":200,"manage":20}',
    dashboardUrls: 'https://auth.example.com/, https://admin.example.com',
    dashboard: 'none',
    dashboardDomain: 'auth.example.com',
    dashboardCertificateArn: certificateArn,
    apiDomain: 'api.example.com',
    apiCertificateArn: apiCertificateArn,
    executeApi: 'off',
    oidcClientId: 'dashboard',
    oidcIssuer: 'https://login.example.com/tenant/',
    oidcAudience: 'auth-service',
    oidcRoleClaim: 'groups',
    oidcRoles: '{"Help desk":"support"}',
    iamRoles: '{"arn:aws:sts::*:assumed-role/Desk/*":"support:billing","arn:aws:iam::111122223333:user/root":"admin"}',
    alarmEmail: 'on-call@example.com',
    tracing: 'on',
    accessLog: 'on',
    provisionedConcurrency: '{"get-access":5,"manage":1}',
    monthlyBudget: '250',
    backupVaultArn: vaultArn,
    backupRetentionDays: 60,
    headsBucket: 'authservice-backupvault-heads',
  };
  expect(readContext(context)).toEqual({
    stage: { ...stages.prod, tracing: true, accessLog: true },
    provisionedConcurrency: { 'get-access': 5, manage: 1 },
    accountConcurrency: 1000,
    release: 'at-once',
    region: 'eu-central-1',
    replicaRegions: ['eu-west-1', 'eu-south-2'],
    tableStreamArn: undefined,
    standby: 'off',
    grantedTables: [],
    grantedRootKeys: [],
    rootKeys: ['k1', 'k2', 'k10', 'h1', 'c2', 'w1'].map((name) => ({ name })),
    sharedRoots: 'on',
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
    endpoints: ['evaluate', 'scim'],
    webhooks: ['standard', 'set'],
    login: 'on',
    keyStateCacheSeconds: 10,
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: 60,
    requireReason: 'all',
    throttleRate: 5,
    manageThrottleRate: 20,
    reservedConcurrency: { 'get-access': 200, manage: 20 },
    dashboardUrls: ['https://auth.example.com/', 'https://admin.example.com'],
    dashboardFolder: undefined,
    dashboardDomain: { name: 'auth.example.com', certificateArn },
    apiDomain: { name: 'api.example.com', certificateArn: apiCertificateArn },
    executeApi: 'off',
    oidcClientId: 'dashboard',
    operatorTokens: { issuer: 'https://login.example.com/tenant/', audience: 'auth-service' },
    operatorRoles: {
      token: { claim: 'groups', groups: { 'Help desk': 'support' } },
      arns: {
        'arn:aws:sts::*:assumed-role/Desk/*': 'support:billing',
        'arn:aws:iam::111122223333:user/root': 'admin',
      },
    },
    alarmEmail: 'on-call@example.com',
    monthlyBudget: 250,
    backup: { vaultArn, retentionDays: 60 },
    headsBucket: 'authservice-backupvault-heads',
    canary: 'off',
    bootstrap: 'standard',
    confirmedChanges: [],
  });
});

test('in production changes stay a year unless the context says otherwise, and an hour without a request is an alarm', () => {
  expect(readContext({ stage: 'prod' })).toMatchObject({ stage: stages.prod, changeRetentionDays: 365 });
  expect(Object.values(stages).map(({ noTrafficMinutes }) => noTrafficMinutes)).toEqual([0, 0, 60]);
});

test.each(['200', '{', '{"manage":0}', '{"manage":1.5}', '{"manage":"20"}', '["manage"]', '{"Manage!":1}'])(
  '%s reserves no concurrency',
  (reservedConcurrency) => {
    expect(() => readContext({ reservedConcurrency })).toThrow('reservedConcurrency must be a JSON object such as');
  },
);

test('the concurrency to reserve can also be an object, as in cdk.json', () => {
  expect(readContext({ reservedConcurrency: { manage: 20 } })).toMatchObject({ reservedConcurrency: { manage: 20 } });
});

test.each(['production', 'Prod', 'toString'])('%s is not a stage, and the error names the stages', (stage) => {
  expect(() => readContext({ stage })).toThrow(`stage must be one of dev, staging, prod, not ${stage}`);
});

test('a release is canary or at-once, and dev has aliases and a canary only if it is given', () => {
  expect(readContext({ stage: 'staging', release: 'at-once' })).toMatchObject({ release: 'at-once' });
  expect(() => readContext({ stage: 'prod', release: 'slow' })).toThrow('release must be canary or at-once, not slow');
  expect(readContext({})).toMatchObject({ stage: { canary: false }, canary: 'off' });
  for (const release of ['canary', 'at-once']) {
    expect(readContext({ release })).toMatchObject({ stage: { name: 'dev', canary: true }, release, canary: 'on' });
  }
});

test.each(['tracing', 'accessLog'] as const)('%s is on in dev and off elsewhere, unless it is given', (name) => {
  for (const stage of ['dev', 'staging', 'prod']) {
    expect(readContext({ stage }).stage).toMatchObject({ [name]: stage === 'dev' });
    for (const given of ['on', 'off']) {
      expect(readContext({ stage, [name]: given }).stage).toMatchObject({ [name]: given === 'on' });
    }
  }
  expect(() => readContext({ [name]: 'yes' })).toThrow(`The setting ${name} must be on or off, not yes`);
});

test('provisioned concurrency requires an existing function, a whole number and a stage with aliases', () => {
  const read = (provisionedConcurrency: unknown, stage = 'prod') => readContext({ stage, provisionedConcurrency });
  expect(read({ 'get-access': 5 }).provisionedConcurrency).toEqual({ 'get-access': 5 });
  expect(read(' ').provisionedConcurrency).toEqual({});
  for (const wrong of [
    '5',
    'get-access',
    { 'get-acess': 5 },
    { 'publish-changes': 1 },
    { 'number-changes': 1 },
    { manage: 0 },
    { manage: 1.5 },
  ]) {
    expect(() => read(wrong)).toThrow('The setting provisionedConcurrency must be a JSON object such as');
  }
  expect(() => read({ manage: 1 }, 'dev')).toThrow('requires a stage with aliases; dev has none');
});

test.each(['k2,k1', 'k1,k1', 'k1,w2,w1', '1', 'k0', 'k01', 'k10000', 'k1;k2', 'k1,', 'x1', 'kh1'])(
  '%s is not a list of root key versions, oldest first',
  (rootKeys) => {
    expect(() => readContext({ rootKeys })).toThrow('rootKeys must list versions, oldest first');
  },
);

test('an empty setting of the login counts as absent', () => {
  const context = { dashboardUrls: ' ', oidcIssuer: '', oidcAudience: '' };
  expect(readContext(context)).toEqual(readContext({}));
});

test.each([{ oidcIssuer: 'https://login.example.com' }, { oidcAudience: 'auth-service', oidcIssuer: '' }])(
  'an incomplete OpenID provider is rejected: %j',
  (context) => {
    expect(() => readContext(context)).toThrow('oidcIssuer and oidcAudience belong together: set both or neither');
  },
);

test.each([
  'http://login.example.com',
  'login.example.com',
  'https://',
  'https://login.example.com/?tenant=1',
  'https://login.example.com/#tenant',
])('%s is not an issuer', (oidcIssuer) => {
  expect(() => readContext({ oidcIssuer, oidcAudience: 'auth-service' })).toThrow(`oidcIssuer must be`);
});

test.each([
  'http://auth.example.com/',
  'http://127.0.0.1:3000/',
  'auth.example.com',
  'https://auth.example.com/#callback',
  'https://auth.example.com/,',
])('%s is not a list of redirect addresses', (dashboardUrls) => {
  expect(() => readContext({ dashboardUrls })).toThrow('dashboardUrls must list');
});

test('an incomplete domain of the dashboard is rejected', () => {
  for (const context of [{ dashboardDomain: 'auth.example.com' }, { dashboardCertificateArn: certificateArn }]) {
    expect(() => readContext(context)).toThrow('dashboardDomain and dashboardCertificateArn belong together');
  }
});

test.each(['https://auth.example.com', 'auth.example.com/', 'AUTH.example.com', '*.example.com', 'localhost'])(
  '%s is not a host name for the dashboard',
  (dashboardDomain) => {
    const context = { dashboardDomain, dashboardCertificateArn: certificateArn };
    expect(() => readContext(context)).toThrow('dashboardDomain must be');
  },
);

test("a login may redirect to the operator's machine by default in dev, if configured in staging, and never in prod", () => {
  const local = { dashboardUrls: 'https://auth.example.com/,http://localhost:5173' };
  expect(readContext({}).dashboardUrls).toEqual(['http://localhost:3000/']);
  for (const stage of ['staging', 'prod']) expect(readContext({ stage }).dashboardUrls).toEqual([]);
  expect(readContext({ stage: 'staging', ...local }).dashboardUrls).toHaveLength(2);
  expect(() => readContext({ stage: 'prod', ...local })).toThrow(
    "dashboardUrls must not list an address on the operator's own machine in prod: http://localhost:5173",
  );
});

test.each(['arn:aws:backup:eu-central-1:222233334444:recovery-point:a', 'copies', 'arn:aws:backup:*:1:backup-vault:a'])(
  '%s is not a vault',
  (backupVaultArn) => {
    expect(() => readContext({ backupVaultArn })).toThrow('backupVaultArn must be the ARN of a vault');
  },
);

test('a vault of another Region is rejected, and so is a retention without a vault', () => {
  expect(() => readContext({ backupVaultArn: vaultArn, region: 'eu-west-1' })).toThrow("stack's Region eu-west-1");
  expect(() => readContext({ backupRetentionDays: '40' })).toThrow('backupRetentionDays requires backupVaultArn');
  expect(readContext({ backupVaultArn: vaultArn }).backup).toEqual({ vaultArn, retentionDays: 35 });
});

test.each(['other-bucket', 'arn:aws:s3:::authservice-backupvault-heads', 'authservice-backupvault-Heads'])(
  '%s is not a bucket for signed heads, because the boundary of roles would deny it or it is not a name',
  (headsBucket) => {
    expect(() => readContext({ headsBucket })).toThrow('headsBucket must be the output HeadsBucket');
  },
);

test('a certificate of another Region is rejected, because CloudFront would reject it', () => {
  const context = {
    dashboardDomain: 'auth.example.com',
    dashboardCertificateArn: certificateArn.replace('us-east-1', 'eu-central-1'),
  };
  expect(() => readContext(context)).toThrow('dashboardCertificateArn must be of us-east-1');
});

test('an incomplete domain of the API is rejected, and so is a certificate of another Region', () => {
  expect(() => readContext({ apiDomain: 'api.example.com' })).toThrow(
    'apiDomain and apiCertificateArn belong together',
  );
  const domain = { apiDomain: 'api.example.com', apiCertificateArn };
  expect(readContext(domain)).toMatchObject({ apiDomain: { name: 'api.example.com' } });
  expect(() => readContext({ ...domain, region: 'eu-west-1' })).toThrow('apiCertificateArn must be of eu-west-1');
  expect(() => readContext({ ...domain, apiCertificateArn: 'x' })).toThrow('must be the ARN of a certificate');
});

test("API Gateway's default endpoint can be disabled only with a custom domain", () => {
  expect(() => readContext({ executeApi: 'off' })).toThrow('executeApi can be off only with apiDomain');
  expect(() => readContext({ executeApi: 'no' })).toThrow('executeApi must be on or off, not no');
});

test.each(['203.0.113.0', '203.0.113.0/33', '203.0.113/24', '2001:db8::/129', 'example.com/24', '0.0.0.0/0,'])(
  '%s is not a list of ranges',
  (allowedCidrs) => {
    expect(() => readContext({ allowedCidrs })).toThrow('allowedCidrs must list ranges such as 203.0.113.0/24');
  },
);

test('ranges that do not fit into the environment of a function are rejected', () => {
  const allowedCidrs = Array.from({ length: 150 }, (_, at) => `203.0.113.${at}/32`).join();
  expect(() => readContext({ allowedCidrs })).toThrow('allowedCidrs may have at most 2,000 characters');
});

test.each(['-1', '301', '1.5', 'long'])('the state of keys cannot be cached for %s seconds', (keyStateCacheSeconds) => {
  expect(() => readContext({ keyStateCacheSeconds })).toThrow(
    'keyStateCacheSeconds must be a whole number from 0 to 300',
  );
});

test('formats of webhooks that do not exist are refused', () => {
  expect(() => readContext({ webhooks: 'standard,xml' })).toThrow('must list some of standard, set; not xml');
});

test('the earlier name of endpoints, doors, is still accepted, in cdk.json and on the command line', () => {
  const settings = { prod: { 'eu-central-1': { doors: 'scim' } } };
  expect(readContext({ doors: 'evaluate' }).endpoints).toEqual(['evaluate']);
  expect(readContext({ stage: 'prod', settings }).endpoints).toEqual(['scim']);
});

test('endpoints that do not exist are refused', () => {
  expect(() => readContext({ endpoints: 'evaluate,saml' })).toThrow(
    'endpoints must list some of evaluate, hooks, scim; not saml',
  );
});

test.each(['changeRetentionDays', 'throttleRate', 'manageThrottleRate'])(
  '%s must be a whole number above zero',
  (name) => {
    for (const value of ['0', '-1', '1.5', 'many', '', '1e3', 1_000_000]) {
      expect(() => readContext({ [name]: value })).toThrow(name);
    }
  },
);

function readContext(context: Record<string, unknown>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(contextOf(context))) root.node.setContext(name, value);
  return readSettings(root.node);
}

test.each([
  [{}, 10],
  [{ 'get-access': 200, manage: 20 }, 320],
])('reserved concurrency of %j fits into a quota of %d', (reserved, quota) => {
  const context = { reservedConcurrency: JSON.stringify(reserved), 'auth-service:account-concurrency': String(quota) };
  expect(readContext(context).accountConcurrency).toBe(quota);
});

test('reserved concurrency that exceeds the quota of the account is refused with the request for more', () => {
  const context = { reservedConcurrency: '{"get-access":200,"manage":20}', 'auth-service:account-concurrency': '319' };
  expect(() => readContext(context)).toThrow(
    /needs a quota of 320 concurrent executions.*the account has 319.*--quota-code L-B99A9384 --desired-value 320/,
  );
  expect(readContext({ reservedConcurrency: '{"get-access":2000}' }).accountConcurrency).toBe(1000);
});
