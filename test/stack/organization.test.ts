import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { App, Aspects, type IAspect, Tags } from 'aws-cdk-lib';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { selectSettings } from '../../lib/settings/given-settings.ts';
import { resourcesOf, type Template } from './synthesized-stack.ts';

const outdir = mkdtempSync(join(tmpdir(), 'auth-service-organization-'));
afterAll(() => rmSync(outdir, { recursive: true }));

function synthesizeWith(change: (app: App) => void): Template {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ context: { ...cdk.context, dashboard: 'none' }, outdir, analyticsReporting: false });
  const stack = new AuthServiceStack(app, 'AuthService-dev', selectSettings(app.node));
  change(app);
  return app.synth().getStackArtifact(stack.artifactId).template;
}

const aspect = (visit: IAspect['visit']) => (app: App) => Aspects.of(app).add({ visit });
const page = 'See docs/operate/deploy.md#the-rules-of-your-organization';

test.each<[string, (app: App) => void]>([
  [
    'the table cannot have a KMS key of yours',
    aspect((node) => {
      if (node instanceof CfnGlobalTable) {
        node.replicas = [{ region: 'eu-central-1', sseSpecification: { kmsMasterKeyId: 'alias/ours' } }];
      }
    }),
  ],
  [
    'a log group cannot have a KMS key of yours',
    aspect((node) => {
      if (node instanceof CfnLogGroup) node.kmsKeyId = 'arn:aws:kms:eu-central-1:111122223333:key/1';
    }),
  ],
  [
    'a function cannot be in a VPC',
    aspect((node) => {
      if (node instanceof CfnFunction) node.vpcConfig = { subnetIds: ['subnet-1'], securityGroupIds: ['sg-1'] };
    }),
  ],
])('an organization that requires what would not work is told so: %s', (reason, change) => {
  expect(() => synthesizeWith(change)).toThrow(new RegExp(`${reason}[\\s\\S]*${page}`));
});

test("an organization's tags reach every function, beside the service's own", () => {
  const template = synthesizeWith((app) => Tags.of(app).add('cost-center', '42'));
  const functions = [...resourcesOf(template, 'AWS::Lambda::Function').values()];
  expect(functions.length).toBeGreaterThan(10);
  for (const { Properties } of functions) {
    expect(Properties.Tags).toEqual(
      expect.arrayContaining([
        { Key: 'cost-center', Value: '42' },
        { Key: 'service', Value: 'auth-service-dev' },
      ]),
    );
  }
});
