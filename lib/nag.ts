import { type App, type IPolicyValidationContext, type PolicyValidationPluginReport, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Checks the app against the AwsSolutions rules; synthesis fails on any finding that is not acknowledged. */
export function addNag(app: App): void {
  Validations.of(app).addPlugins(new StrictAwsSolutionsChecks(app));
}

/** Reports warnings as errors: the CDK ignores warnings, such as a table without backups, once a finding is acknowledged. */
class StrictAwsSolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    return { ...report, violations: report.violations.map((violation) => ({ ...violation, severity: 'error' })) };
  }
}
