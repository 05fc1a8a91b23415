import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings/settings.ts';
import {
  type Context,
  resourcesOf,
  synthesizeAssembly,
  synthesizeSmallStack,
  templateIn,
} from './synthesized-stack.ts';

function read(accounts: object | string, stage = 'prod') {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries({ accounts, stage, settings: {} })) root.node.setContext(name, value);
  const { account, bootstrapQualifier } = readSettings(root.node);
  return { account, bootstrapQualifier };
}

describe('accounts in cdk.json', () => {
  test('a stage has the account and the bootstrap that they name, or any', () => {
    const accounts = {
      staging: { id: '111122223333' },
      prod: { id: '444455556666', bootstrapQualifier: 'authprod' },
    };
    expect(read(accounts, 'staging')).toEqual({ account: '111122223333', bootstrapQualifier: undefined });
    expect(read(accounts)).toEqual({ account: '444455556666', bootstrapQualifier: 'authprod' });
    expect(read(accounts, 'dev')).toEqual({ account: undefined, bootstrapQualifier: undefined });
  });

  test.each([
    [{ prod: { id: 111122223333 } }, /context\.accounts\.prod\.id: .*string/],
    [{ prod: { id: '1111' } }, /accounts\.prod\.id: Expected the 12 digits/],
    [{ prod: {} }, /accounts\.prod\.id/],
    [{ prod: { id: '111122223333', bootstrapQualifier: 'Auth-Prod' } }, /bootstrapQualifier: Expected a lower-case/],
    [{ prod: { id: '111122223333', bootstrapQualifier: 'authservice' } }, /bootstrapQualifier: Expected/],
    [{ prod: { id: '111122223333', region: 'eu-west-1' } }, /accounts\.prod\.region/],
    [{ test: { id: '111122223333' } }, /accounts\.test/],
    ['{prod:}', /context\.accounts: /],
  ])('%j is refused', (accounts, message) => {
    expect(() => read(accounts)).toThrow(message);
  });

  test('two stages in one account need bootstraps of their own', () => {
    const id = '111122223333';
    expect(() => read({ staging: { id }, prod: { id } })).toThrow(
      /staging and prod in one account.*bootstrapQualifier/,
    );
    expect(read({ staging: { id }, prod: { id, bootstrapQualifier: 'authprod' } })).toMatchObject({ account: id });
  });
});

describe('the stack', () => {
  const manifestOf = async (context: Context) => {
    const folder = await synthesizeAssembly({ stage: 'prod', region: 'eu-central-1', ...context });
    const { artifacts } = (await import(`${folder}/manifest.json`, { with: { type: 'json' } })).default;
    return { folder, ...artifacts.AuthService };
  };

  test("is deployed with the project's own bootstrap, not the default one of the CDK", async () => {
    const { folder, environment, properties } = await manifestOf({});
    expect(environment).toBe('aws://unknown-account/eu-central-1');
    expect(properties.assumeRoleArn).toMatch(/:role\/cdk-authsvc-deploy-role-/);
    expect(JSON.stringify(templateIn(folder))).not.toContain('hnb659fds');
  });

  test("is deployed to the stage's account, with the bootstrap of the stage", async () => {
    const accounts = JSON.stringify({ prod: { id: '111122223333', bootstrapQualifier: 'authprod' } });
    const { folder, environment, properties } = await manifestOf({ accounts });
    expect(environment).toBe('aws://111122223333/eu-central-1');
    expect(properties.assumeRoleArn).toContain('role/cdk-authprod-deploy-role-111122223333-eu-central-1');
    expect(properties.cloudFormationExecutionRoleArn).toContain('role/cdk-authprod-cfn-exec-role-111122223333');
    const boundaries = [...resourcesOf(templateIn(folder), 'AWS::IAM::Role').values()].map(
      (role) => role.Properties.PermissionsBoundary,
    );
    expect([...new Set(boundaries)]).toEqual([
      'arn:aws:iam::111122223333:policy/cdk-authprod-boundary-111122223333-eu-central-1',
    ]);
  });

  test.each(['role-watch', 'log-queries', 'backup-vault'] as const)('%s uses the same bootstrap', async (kind) => {
    const { template } = await synthesizeSmallStack(kind, { alarmEmail: 'on-call@example.com' });
    expect(JSON.stringify(template)).toContain('/cdk-bootstrap/authsvc/version');
  });
});
