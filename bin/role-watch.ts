import { App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { RoleWatchStack } from '../lib/monitoring/root-key-watch.ts';
import { addNag } from '../lib/nag.ts';
import { readSettings } from '../lib/settings/settings.ts';

/**
 * `npm run deploy:role-watch -- -c stage=prod`: the rule for the roles of a stage, in us-east-1, once per stage and
 * account.
 */
const app = new App({ context: cdk.context, analyticsReporting: false });
const settings = readSettings(app.node);
new RoleWatchStack(app, 'RoleWatch', {
  description: `Role changes of the functions in ${settings.stage.stackName}`,
  ...settings,
});
addNag(app);
app.synth();
