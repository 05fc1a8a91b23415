import { expect, test } from '@jest/globals';
import { actionsOf, allowsItem, statementsOf } from './role-permissions.ts';
import {
  functionsOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeTemplate,
  type Template,
} from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const always = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const canaries = ['issue-canary-key', 'run-canary'];

test('a rule invokes the canary once per minute', () => {
  const [id, { Properties }] = onlyEachMinute(template);
  expect(Properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  const [target] = Properties.Targets as { Arn: unknown; RetryPolicy: object }[];
  expect(referredId(target?.Arn)).toBe(idOf('run-canary'));
  expect(target?.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
  const permissions = [...resourcesOf(template, 'AWS::Lambda::Permission').values()];
  const ofCanary = permissions.filter(
    ({ Properties: { FunctionName } }) => referredId(FunctionName) === idOf('run-canary'),
  );
  expect(ofCanary.map(({ Properties: { SourceArn } }) => referredId(SourceArn))).toEqual([id]);
});

test('the canary may only invoke the function that issues its key and the versions that it checks', () => {
  const statements = statementsOf(template, 'run-canary');
  expect(actionsOf(statements)).toEqual(
    [...always, 'codedeploy:PutLifecycleEventHookExecutionStatus', 'lambda:InvokeFunction'].sort(),
  );
  const [invoking] = statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
  const invoked = [invoking?.Resource].flat().map(referredId);
  const versions = resourcesOf(template, 'AWS::Lambda::Version');
  expect(invoked).toHaveLength(5);
  expect(invoked.filter((id) => !versions.has(id ?? ''))).toEqual([idOf('issue-canary-key')]);
  // A caller that invokes the management function directly can claim any identity.
  expect(JSON.stringify(invoked)).not.toContain('Manage');
});

test("the canary's key is issued by a function that can write only the canary's application and user", () => {
  const statements = inRegion(template, 'eu-central-1');
  const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((name) => `dynamodb:${name}`);
  const writable = (pk: string) => writing.filter((action) => allowsItem(statements, action, { pk }));
  expect(actionsOf(statements)).toEqual(
    [...always, 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'kms:GenerateMac'].sort(),
  );
  expect(writable('APP#canary-eu-central-1')).toEqual(['dynamodb:PutItem', 'dynamodb:UpdateItem']);
  expect(writable('USER#canary-eu-central-1')).toEqual(['dynamodb:PutItem']);
  for (const pk of ['APP#billing', 'USER#ada', 'APP#canary-eu-west-1', 'APP#canary-eu-central-1#ROLE#x', 'HISTORY#0']) {
    expect([pk, writable(pk)]).toEqual([pk, []]);
  }
});

test('only the canary may invoke the function that issues its key', () => {
  const id = idOf('issue-canary-key');
  const mayInvoke = [...functionsOf(template).keys()].filter((name) =>
    statementsOf(template, name).some(
      ({ Action, Resource }) =>
        [Action].flat().some((action) => action.startsWith('lambda:')) && JSON.stringify(Resource).includes(`"${id}"`),
    ),
  );
  expect(mayInvoke).toEqual(['run-canary']);
  const permissions = [...resourcesOf(template, 'AWS::Lambda::Permission').values()];
  expect(permissions.filter(({ Properties }) => referredId(Properties.FunctionName) === id)).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['dev', {}],
  ['prod with the setting off', { stage: 'prod', canary: 'off' }],
  ['prod with a list of addresses', { stage: 'prod', allowedCidrs: '203.0.113.0/24' }],
])('there is no canary, and no alarm or graph for it, in %s', async (_, context) => {
  const without = await synthesizeTemplate(context);
  expect([...functionsOf(without).keys()].filter((name) => canaries.includes(name))).toEqual([]);
  expect(JSON.stringify(without)).not.toMatch(/Canary(Failures|Get|Put|Feed|Block)|canary-(silent|delay|failures)/);
});

function onlyEachMinute(stack: Template) {
  const rules = [...resourcesOf(stack, 'AWS::Events::Rule')].filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  expect(rules).toHaveLength(1);
  return rules[0] ?? onlyResource(stack, 'AWS::Events::Rule');
}

function idOf(name: string): string | undefined {
  const fn = functionsOf(template).get(name);
  return Object.entries(template.Resources).find(([, resource]) => resource === fn)?.[0];
}

/** Returns the statements of the function that issues the key, resolved for a Region. */
function inRegion(stack: Template, region: string) {
  const text = JSON.stringify(statementsOf(stack, 'issue-canary-key'));
  return JSON.parse(text.replace(/\{"Fn::Join":\["",\["([^"]*)",\{"Ref":"AWS::Region"\}\]\]\}/g, `"$1${region}"`));
}
