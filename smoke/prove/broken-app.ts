import { App } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { selectSettings } from '../../lib/settings/given-settings.ts';
import { stages } from '../../lib/settings/stages.ts';
import { brokenDescription } from './broken-version.ts';

/** The service's stack with a version of `get-access` that fails every request: what a release must not let through. */
const app = new App({ context: cdk.context, analyticsReporting: false });
const given = selectSettings(app.node);
const stack = new AuthServiceStack(app, stages[given.stage].stackName, {
  description: `Central login and access service, ${given.stage}`,
  ...given,
});
const broken = stack.node.findAll().find((node) => node instanceof CfnFunction && isGetAccess(node)) as CfnFunction;
broken.code = { zipFile: "exports.handler = async () => { throw new Error('broken by npm run prove'); };" };
broken.description = brokenDescription;
app.synth();

function isGetAccess({ description }: CfnFunction): boolean {
  return description === 'auth-service: get-access';
}
