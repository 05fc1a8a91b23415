import { App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { SavedQueriesStack } from '../lib/monitoring/saved-queries.ts';
import { addNag } from '../lib/nag.ts';
import { readSettings } from '../lib/settings/settings.ts';

/** `npm run deploy:queries -- -c stage=prod`: the queries of a stage for CloudWatch Logs Insights, once per stage. */
const app = new App({ context: cdk.context, analyticsReporting: false });
const settings = readSettings(app.node);
new SavedQueriesStack(app, 'SavedQueries', {
  description: `Queries for the logs of ${settings.stage.stackName}`,
  ...settings,
});
addNag(app);
app.synth();
