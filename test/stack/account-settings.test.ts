import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings/settings.ts';
import { contextOf } from '../support/stack-context.ts';
import {
  builtDashboard,
  type Context,
  resourcesOf,
  synthesizeAssembly,
  synthesizeSmallStack,
  templateIn,
} from './synthesized-stack.ts';

function read(accounts: object, stage = 'prod') {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(contextOf({ accounts, stage }))) root.node.setContext(name, value);
  const { account, bootstrap, bootstrapQualifier } = readSettings(root.node);
  return { account, bootstrap, bootstrapQualifier };
}

describe('accounts in cdk.json', () => {
  test('a stage has the account and the bootstrap that they name, or any account with its own bootstrap', () => {
    const accounts = {
      staging: { id: '111122223333', bootstrapQualifier: 'platform' },
      prod: { id: '444455556666', bootstrap: 'own', bootstrapQualifier: 'authprod' },
    };
    const standard = { bootstrap: 'standard', bootstrapQualifier: undefined };
    expect(read(accounts, 'staging')).toEqual({ ...standard, account: '111122223333', bootstrapQualifier: 'platform' });
    expect(read(accounts)).toEqual({ account: '444455556666', bootstrap: 'own', bootstrapQualifier: 'authprod' });
    expect(read(accounts, 'dev')).toEqual({ ...standard, account: undefined });
    expect(read({ prod: { bootstrap: 'own' } })).toEqual({
      account: undefined,
      bootstrap: 'own',
      bootstrapQualifier: 'authsvc',
    });
  });

  test.each([
    [{ prod: { id: 111122223333 } }, /context\.auth-service\.accounts\.prod\.id: .*string/],
    [{ prod: { id: '1111' } }, /accounts\.prod\.id: Expected the 12 digits/],
    [{ prod: { bootstrap: 'mine' } }, /accounts\.prod\.bootstrap/],
    [{ prod: { id: '111122223333', bootstrapQualifier: 'Auth-Prod' } }, /bootstrapQualifier: Expected a lower-case/],
    [{ prod: { id: '111122223333', bootstrapQualifier: 'authservice' } }, /bootstrapQualifier: Expected/],
    [{ prod: { id: '111122223333', region: 'eu-west-1' } }, /accounts\.prod\.region/],
    [{ test: { id: '111122223333' } }, /accounts\.test/],
    [['prod'], /context\.auth-service\.accounts/],
  ])('%j is refused', (accounts, message) => {
    expect(() => read(accounts)).toThrow(message);
  });

  test('two stages in one account need bootstraps of their own, unless it is the one of the account', () => {
    const own = { id: '111122223333', bootstrap: 'own' };
    expect(() => read({ staging: own, prod: own })).toThrow(/staging and prod in one account.*bootstrapQualifier/);
    expect(read({ staging: own, prod: { ...own, bootstrapQualifier: 'authprod' } })).toMatchObject({ account: own.id });
    expect(read({ staging: { id: own.id }, prod: { id: own.id } })).toMatchObject({ account: own.id });
    expect(read({ staging: { bootstrap: 'own' }, prod: own })).toMatchObject({ account: own.id });
  });
});

describe('the stack', () => {
  const manifestOf = async (context: Context) => {
    const folder = await synthesizeAssembly({ stage: 'prod', region: 'eu-central-1', ...context });
    const { artifacts } = (await import(`${folder}/manifest.json`, { with: { type: 'json' } })).default;
    return { folder, ...artifacts['AuthService-prod'] };
  };

  const boundariesIn = (folder: string) => [
    ...new Set(
      [...resourcesOf(templateIn(folder), 'AWS::IAM::Role').values()].map((role) =>
        JSON.stringify(role.Properties.PermissionsBoundary),
      ),
    ),
  ];

  test("is deployed with the account's own bootstrap, whose roles have no boundary", async () => {
    const { folder, environment, properties } = await manifestOf({});
    expect(environment).toBe('aws://unknown-account/eu-central-1');
    expect(properties.assumeRoleArn).toMatch(/:role\/cdk-hnb659fds-deploy-role-/);
    expect(boundariesIn(folder)).toEqual([undefined]);
  });

  test("is deployed with the account's bootstrap of another qualifier", async () => {
    const byContext = await manifestOf({ '@aws-cdk/core:bootstrapQualifier': 'platform' });
    expect(byContext.properties.assumeRoleArn).toMatch(/:role\/cdk-platform-deploy-role-/);
    const byAccount = await manifestOf({ accounts: JSON.stringify({ prod: { bootstrapQualifier: 'infra' } }) });
    expect(byAccount.properties.assumeRoleArn).toMatch(/:role\/cdk-infra-deploy-role-/);
  });

  test('gives every role the boundary of the organization, those that the CDK creates too', async () => {
    const name = `{"name":"cdk-\${Qualifier}-developers"}`;
    const { folder } = await manifestOf({ '@aws-cdk/core:permissionsBoundary': name, dashboard: builtDashboard });
    expect(boundariesIn(folder)).toEqual([expect.stringContaining('policy/cdk-hnb659fds-developers')]);
  });

  test("is deployed to the stage's account, with the bootstrap of the stage", async () => {
    const accounts = JSON.stringify({
      prod: { id: '111122223333', bootstrap: 'own', bootstrapQualifier: 'authprod' },
    });
    const { folder, environment, properties } = await manifestOf({ accounts });
    expect(environment).toBe('aws://111122223333/eu-central-1');
    expect(properties.assumeRoleArn).toContain('role/cdk-authprod-deploy-role-111122223333-eu-central-1');
    expect(properties.cloudFormationExecutionRoleArn).toContain('role/cdk-authprod-cfn-exec-role-111122223333');
    expect(boundariesIn(folder)).toEqual([
      '"arn:aws:iam::111122223333:policy/cdk-authprod-boundary-111122223333-eu-central-1"',
    ]);
  });

  test('has only one boundary: that of its bootstrap and that of the organization exclude each other', async () => {
    const accounts = JSON.stringify({ prod: { bootstrap: 'own' } });
    const context = { accounts, '@aws-cdk/core:permissionsBoundary': '{"name":"developers"}' };
    await expect(manifestOf(context)).rejects.toThrow(/a role can have only one. Remove the key, or deploy through/);
  });

  test.each(['role-watch', 'log-queries', 'backup-vault'] as const)(
    '%s uses the bootstrap of the account too',
    async (kind) => {
      const { template } = await synthesizeSmallStack(kind, { alarmEmail: 'on-call@example.com' });
      expect(JSON.stringify(template)).toContain('/cdk-bootstrap/hnb659fds/version');
    },
  );
});
