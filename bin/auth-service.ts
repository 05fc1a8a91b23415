import { App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../lib/auth-service-stack.ts';
import { addNag, isListing } from '../lib/nag.ts';
import { buildDashboard, dashboardFolder } from '../lib/operators/build-dashboard.ts';
import { requireNoSharedSettings } from '../lib/settings/given-settings.ts';
import { readSettings } from '../lib/settings/settings.ts';

requireNoSharedSettings(cdk.context);
// The context is passed here too, so that the app synthesizes the same template when it runs without the CDK CLI.
const app = new App({ context: cdk.context, analyticsReporting: false });
const settings = readSettings(app.node);
// `cdk ls` and `cdk destroy` need no dashboard.
if (settings.dashboardFolder === dashboardFolder && !isListing(app)) {
  await buildDashboard({
    warn: (reason) => {
      throw new Error(`The dashboard could not be built: ${reason}. To deploy without it, set dashboard=none`);
    },
  });
}
new AuthServiceStack(app, settings.stage.stackName, {
  description: `Central login and access service, ${settings.stage.name}`,
  ...settings,
});
addNag(app);
app.synth();
