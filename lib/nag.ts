import { readFileSync } from 'node:fs';
import {
  type App,
  CloudFormationValidatePlugin,
  type IPolicyValidationContext,
  type IPolicyValidationPlugin,
  type PolicyValidationPluginReport,
  Validations,
} from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import { hashOf, isRemembered, remember } from './functions/build-cache.ts';

/**
 * Checks the app against the AwsSolutions rules; synthesis fails on any finding that is not acknowledged. A command that only lists
 * stacks, such as `cdk ls`, needs no stack whole, and nothing is checked.
 */
export function addNag(app: App): void {
  const listing = isListing(app);
  if (!listing) Validations.of(app).addPlugins(new StrictAwsSolutionsChecks(app));
  // As the CDK does by itself.
  if (process.env.CDK_VALIDATION !== 'false') {
    // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
    Validations.of(app).addPlugins((listing ? new NoValidation() : rules) as IPolicyValidationPlugin);
  }
}

/** Whether the CDK's command only lists stacks: it says that it bundles none. */
export function isListing(app: App): boolean {
  return app.node.tryGetContext(BUNDLING_STACKS)?.length === 0;
}

/** Takes the place of the CDK's own rules, which it would otherwise apply. */
class NoValidation extends CloudFormationValidatePlugin {
  override validate(): PolicyValidationPluginReport {
    return { success: true, violations: [] };
  }
}

/** The CDK's own rules for templates, which take 3 s, without those templates in which an earlier synthesis found nothing. */
class RememberedValidation extends CloudFormationValidatePlugin {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const templates = context.stackTemplates.map(({ templatePath, accountId = '', region = '' }) =>
      hashOf(accountId, region, withoutCode(readFileSync(templatePath, 'utf8'))),
    );
    const hash = hashOf(this.version ?? '', ...templates);
    if (isRemembered('valid-templates', hash)) return { success: true, violations: [] };
    const report = super.validate(context);
    if (report.violations.length === 0) remember('valid-templates', hash);
    return report;
  }
}

/** One for all apps of a process, as the CDK's own: its engine takes 3 s and 130 MB. */
const rules = new RememberedValidation();

/** Without what changes with the code alone: the hashes of assets and of versions, which no rule is about. */
function withoutCode(template: string): string {
  return template.replaceAll(/[0-9a-f]{64}/g, '').replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '');
}

/** Reports warnings as errors: the CDK ignores warnings, such as a table without backups, once a finding is acknowledged. */
class StrictAwsSolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    return { ...report, violations: report.violations.map((violation) => ({ ...violation, severity: 'error' })) };
  }
}
