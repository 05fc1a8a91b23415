import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type App,
  CloudFormationValidatePlugin,
  type IPolicyValidationContext,
  type IPolicyValidationPlugin,
  type PolicyValidationPluginReport,
  Validations,
} from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import cdk from 'aws-cdk-lib/package.json' with { type: 'json' };
import nag from 'cdk-nag/package.json' with { type: 'json' };
import type { IConstruct } from 'constructs';
import { hashOf, isRemembered, remember } from './functions/build-cache.ts';

/**
 * Checks the app against the AwsSolutions rules; synthesis fails on any finding that is not acknowledged. A command that only lists
 * stacks, such as `cdk ls`, needs no stack whole, and nothing is checked.
 */
export function addNag(app: App): void {
  const listing = isListing(app);
  if (!listing) Validations.of(app).addPlugins(new StrictAwsSolutionsChecks());
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

/** The CDK's own rules for templates, which take 3 s. */
class RememberedValidation extends CloudFormationValidatePlugin {
  /** The CDK's, which brings the engine: only loading that would tell its own. */
  override get version(): string {
    return cdk.version;
  }

  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    return unlessValid(context, `${this.name} ${this.version}`, () => super.validate(context));
  }
}

/** One for all apps of a process, as the CDK's own: its engine takes 3 s and 130 MB. */
const rules = new RememberedValidation();

/**
 * The AwsSolutions rules, which are loaded only to be applied: with them, every service of the CDK is. Warnings are errors: the CDK
 * ignores them, such as a table without backups, once a finding is acknowledged.
 */
class StrictAwsSolutionsChecks implements IPolicyValidationPlugin {
  readonly name = 'AwsSolutions';

  validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    return unlessValid(context, `${this.name} ${nag.version} ${acknowledgedIn(context.appConstruct)}`, () => {
      const { AwsSolutionsChecks }: typeof import('cdk-nag') = createRequire(import.meta.url)('cdk-nag');
      const { violations, ...report } = new AwsSolutionsChecks().validate(context);
      return { ...report, violations: violations.map((violation) => ({ ...violation, severity: 'error' })) };
    });
  }
}

/** Everything that is acknowledged in an app, by construct. */
function acknowledgedIn(app: IConstruct): string {
  const key = Validations.ACKNOWLEDGED_RULES_METADATA_KEY;
  const acknowledged = app.node
    .findAll()
    .flatMap(({ node: { path, metadata } }) =>
      metadata.filter(({ type }) => type === key).map(({ data }) => [path, Object.keys(data)]),
    );
  return JSON.stringify(acknowledged);
}

/** Applies rules, but not again to templates in which these rules found nothing in an earlier synthesis. */
function unlessValid(
  { stackTemplates }: IPolicyValidationContext,
  rules: string,
  validate: () => PolicyValidationPluginReport,
): PolicyValidationPluginReport {
  const templates = stackTemplates.map(({ templatePath, accountId = '', region = '' }) =>
    hashOf(accountId, region, withoutCode(readFileSync(templatePath, 'utf8'))),
  );
  const hash = hashOf(rules, ...templates);
  if (isRemembered('valid-templates', hash)) return { success: true, violations: [] };
  const report = validate();
  if (report.violations.length === 0) remember('valid-templates', hash);
  return report;
}

/** Without what changes with the code alone: the hashes of assets and of versions, which no rule is about. */
function withoutCode(template: string): string {
  return template.replaceAll(/[0-9a-f]{64}/g, '').replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
}
