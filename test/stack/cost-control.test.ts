import { expect, test } from '@jest/globals';
import { onlyResource, resourcesOf, synthesizeTemplate, type Template } from './synthesized-stack.ts';

const template = await synthesizeTemplate({
  stage: 'staging',
  monthlyBudget: '250',
});
const tags = { service: 'auth-service-staging', stage: 'staging' };

/** The resource types that cost money by use or per month. */
const paid = [
  'AWS::ApiGatewayV2::Api',
  'AWS::CloudWatch::Alarm',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
];

test.each(paid)('every %s has the cost allocation tags', (type) => {
  const resources = [...resourcesOf(template, type).values()];
  expect(resources.length).toBeGreaterThan(0);
  for (const { Properties } of resources) expect(tagsOf(Properties)).toMatchObject(tags);
});

test("a budget counts the resources with the stage's tag, in dollars per month", () => {
  const [, { Properties }] = onlyResource(template, 'AWS::Budgets::Budget');
  expect(Properties.Budget).toEqual({
    BudgetType: 'COST',
    TimeUnit: 'MONTHLY',
    BudgetLimit: { Amount: 250, Unit: 'USD' },
    CostFilters: { TagKeyValue: ['user:service$auth-service-staging'] },
  });
});

test('a budget notifies the alarm topic at 80 and 100 % and by forecast, and has the permission', () => {
  const [topicId] = onlyResource(template, 'AWS::SNS::Topic');
  const [policyId, policy] = onlyResource(template, 'AWS::SNS::TopicPolicy');
  const [, budget] = onlyResource(template, 'AWS::Budgets::Budget');
  const notified = budget.Properties.NotificationsWithSubscribers as { Notification: object; Subscribers: unknown }[];
  expect(notified.map(({ Notification }) => Object.values(Notification).slice(1).join(' '))).toEqual([
    'ACTUAL 80 PERCENTAGE',
    'ACTUAL 100 PERCENTAGE',
    'FORECASTED 100 PERCENTAGE',
  ]);
  for (const { Subscribers } of notified) {
    expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: topicId } }]);
  }
  expect(budget.DependsOn).toEqual([policyId]);
  expect(statementsOf(policy.Properties)).toContainEqual(
    expect.objectContaining({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'budgets.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  );
});

test('without its setting there is no budget, and AWS Budgets may not publish', async () => {
  const plain = await synthesizeTemplate({ stage: 'staging' });
  expect(resourcesOf(plain, 'AWS::Budgets::Budget').size).toBe(0);
  expect(JSON.stringify(plain)).not.toContain('budgets.amazonaws.com');
});

function tagsOf(properties: Template['Resources'][string]['Properties']): Record<string, string> {
  const { Tags, Replicas } = properties as { Tags?: unknown; Replicas?: { Tags: unknown }[] };
  const tagged = Tags ?? Replicas?.[0]?.Tags;
  if (!Array.isArray(tagged)) return Object(tagged);
  return Object.fromEntries(tagged.map(({ Key, Value }) => [Key, Value]));
}

function statementsOf({ PolicyDocument }: Template['Resources'][string]['Properties']): unknown[] {
  return Object(PolicyDocument).Statement;
}
