import { readFileSync } from 'node:fs';
import {
  type App,
  CloudFormationValidatePlugin,
  type IPolicyValidationContext,
  type IPolicyValidationPlugin,
  type PolicyValidationPluginReport,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { hashOf, isRemembered, remember } from './functions/build-cache.ts';

/** Checks the app against the AwsSolutions rules; synthesis fails on any finding that is not acknowledged. */
export function addNag(app: App): void {
  Validations.of(app).addPlugins(new StrictAwsSolutionsChecks(app));
  // As the CDK does by itself.
  if (process.env.CDK_VALIDATION !== 'false') {
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    Validations.of(app).addPlugins(new RememberedValidation() as IPolicyValidationPlugin);
  }
}

/** The CDK's own rules for templates, which take 3 s, without those templates in which an earlier synthesis found nothing. */
class RememberedValidation extends CloudFormationValidatePlugin {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const templates = context.stackTemplates.map(({ templatePath, accountId = '', region = '' }) =>
      hashOf(accountId, region, readFileSync(templatePath)),
    );
    const hash = hashOf(this.version ?? '', ...templates);
    if (isRemembered('valid-templates', hash)) return { success: true, violations: [] };
    const report = super.validate(context);
    if (report.violations.length === 0) remember('valid-templates', hash);
    return report;
  }
}

/** Reports warnings as errors: the CDK ignores warnings, such as a table without backups, once a finding is acknowledged. */
class StrictAwsSolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    return { ...report, violations: report.violations.map((violation) => ({ ...violation, severity: 'error' })) };
  }
}
