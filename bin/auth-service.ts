import { App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../lib/auth-service-stack.ts';
import { addNag, isListing } from '../lib/nag.ts';
import { buildDashboard } from '../lib/operators/build-dashboard.ts';
import { dashboardFolder } from '../lib/settings/dashboard-folder.ts';
import { requireNoSharedSettings, selectSettings } from '../lib/settings/given-settings.ts';
import { checkSettings } from '../lib/settings/settings.ts';

requireNoSharedSettings(cdk.context);
// The context is passed here too, so that the app synthesizes the same template when it runs without the CDK CLI.
const app = new App({ context: cdk.context, analyticsReporting: false });
const given = selectSettings(app.node);
const { stage, ...settings } = checkSettings(app.node, given);
// `cdk ls` and `cdk destroy` need no dashboard.
if (settings.dashboardFolder === dashboardFolder && !isListing(app)) {
  await buildDashboard({
    warn: (reason) => {
      throw new Error(`The dashboard could not be built: ${reason}. To deploy without it, set dashboard=none`);
    },
  });
}
new AuthServiceStack(app, stage.stackName, {
  description: `Central login and access service, ${stage.name}`,
  ...given,
});
addNag(app);
app.synth();
