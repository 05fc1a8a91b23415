import { type App, type IPolicyValidationContext, type PolicyValidationPluginReport, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Checks the app against the AwsSolutions rules at synthesis, which fails on any finding that nobody acknowledged. */
export function addNag(app: App): void {
  Validations.of(app).addPlugins(new StrictAwsSolutionsChecks(app));
}

/** Once one finding is acknowledged, the CDK lets pass what a rule calls a warning, such as a table without backups. */
class StrictAwsSolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    return { ...report, violations: report.violations.map((violation) => ({ ...violation, severity: 'error' })) };
  }
}
