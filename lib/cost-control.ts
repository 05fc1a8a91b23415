import { Aws, type Stack, Tags } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import * as v from 'valibot';
import type { GivenSettings } from './given-settings.ts';
import { parseJson, readPositiveInteger, readText } from './setting-value.ts';
import type { Stage } from './stages.ts';

export interface CostSettings {
  /** Tags of all resources besides `service` and `stage`, from `costTags`. Default: none. */
  readonly tags: Readonly<Record<string, string>>;
  /** US dollars a month, from which on the topic of the alarms is notified. Default: no budget. */
  readonly monthlyBudget: number | undefined;
}

/** Throws on a tag that AWS would refuse, and on one that the stack sets itself. */
export function readCosts(given: GivenSettings): CostSettings {
  const tags = readTags(given.costTags);
  const monthlyBudget =
    readText(given, 'monthlyBudget') === undefined ? undefined : readPositiveInteger(given, 'monthlyBudget', 1);
  return { tags, monthlyBudget };
}

/** AWS allows 50 tags, whose keys do not begin with `aws:`. https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html */
const tagsSchema = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^(?!aws:)[\w .:/=+@-]{1,128}$/)),
    v.pipe(v.string(), v.regex(/^[\w .:/=+@-]{0,256}$/)),
  ),
  v.check((tags) => !('service' in tags) && !('stage' in tags) && Object.keys(tags).length <= 40),
);

function readTags(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === '') return {};
  const given = typeof value === 'string' ? parseJson(value) : value;
  const { success, output } = v.safeParse(tagsSchema, given);
  if (success && !Array.isArray(given)) return output;
  throw new Error(
    'The setting costTags must be a JSON object of tags and their values, such as {"cost-center":"4711"}, without service and stage, which the stack sets',
  );
}

/** Tags every resource, so that the bill can be divided by `service`, which is unique to the stage, and by `stage`. */
export function tagForCosts(stack: Stack, { serviceName, name }: Stage, { tags }: CostSettings): void {
  for (const [key, value] of Object.entries({ service: serviceName, stage: name, ...tags })) {
    Tags.of(stack).add(key, value);
  }
}

/**
 * A budget for the resources with the stage's tag `service`, which must be activated as a cost allocation tag. It notifies
 * the topic at 80 % and 100 % of what was spent, and when 100 % are forecast. AWS updates the figures up to three times a
 * day. https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export function addBudget(stack: Stack, { serviceName }: Stage, { monthlyBudget }: CostSettings, topic: Topic): void {
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const at = (
    notificationType: 'ACTUAL' | 'FORECASTED',
    threshold: number,
  ): CfnBudget.NotificationWithSubscribersProperty => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
    subscribers,
  });
  const budget = new CfnBudget(stack, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:service$${serviceName}`] },
    },
    notificationsWithSubscribers: [at('ACTUAL', 80), at('ACTUAL', 100), at('FORECASTED', 100)],
  });
  const { policyDependable } = topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'BudgetPublishes',
      principals: [new ServicePrincipal('budgets.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  // AWS Budgets checks that it may publish when the notification is created.
  if (policyDependable !== undefined) budget.node.addDependency(policyDependable);
}
