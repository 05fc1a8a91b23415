import { Aws, Tags } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage } from '../settings/stages.ts';

/** Tags every resource, so that the bill can be divided by `service`, which is unique to the stage, and by `stage`. */
export function tagForCosts(scope: Construct, { serviceName, name }: Stage): void {
  Tags.of(scope).add('service', serviceName);
  Tags.of(scope).add('stage', name);
}

/**
 * A budget for the resources with the stage's tag `service`, which must be activated as a cost allocation tag. It notifies the
 * topic when actual costs reach 80% and 100%, and when the forecast reaches 100%. AWS updates the figures up to three times a
 * day.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export function addBudget(scope: Construct, { serviceName }: Stage, dollars: number | undefined, topic: Topic): void {
  if (dollars === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const at = (
    notificationType: 'ACTUAL' | 'FORECASTED',
    threshold: number,
  ): CfnBudget.NotificationWithSubscribersProperty => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
    subscribers,
  });
  const budget = new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
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
