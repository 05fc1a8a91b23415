import { expect, test } from '@jest/globals';
import { actionsOf, allowsItem, statementsOf } from '#test/stack/role-permissions.ts';
import {
  functionsOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeTemplate,
  type Template,
} from '#test/stack/synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const always = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const canaries = ['issue-canary-key', 'run-canary', 'check-release'];

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

test('the canary may only invoke the function that issues its key', () => {
  const statements = statementsOf(template, 'run-canary');
  expect(actionsOf(statements)).toEqual([...always, 'lambda:InvokeFunction'].sort());
  expect(invokedBy('run-canary')).toEqual([idOf('issue-canary-key')]);
});

test('the check of releases may only invoke that function and the new versions, and is invoked by no rule', () => {
  expect(actionsOf(statementsOf(template, 'check-release'))).toEqual(
    [
      ...always,
      'codedeploy:PutLifecycleEventHookExecutionStatus',
      'lambda:InvokeFunction',
      'lambda:InvokeFunction',
      'ssm:GetParameter',
    ].sort(),
  );
  const versions = resourcesOf(template, 'AWS::Lambda::Version');
  const invoked = invokedBy('check-release');
  expect(invoked.filter((id) => !versions.has(id ?? ''))).toEqual([idOf('issue-canary-key')]);
  expect(invoked).toHaveLength(1 + resourcesOf(template, 'AWS::Lambda::Alias').size);
  const permissions = [...resourcesOf(template, 'AWS::Lambda::Permission').values()];
  expect(permissions.filter(({ Properties }) => referredId(Properties.FunctionName) === idOf('check-release'))).toEqual(
    [],
  );
});

test('the check of releases is an operator of the role support where iamRoles names roles, and needs no entry otherwise', async () => {
  const rolesIn = (stack: Template) =>
    Object(functionsOf(stack).get('manage')?.Properties.Environment).Variables.OPERATOR_ROLES;
  expect(JSON.stringify(rolesIn(template))).not.toContain('support');
  const iamRoles = '{"arn:aws:iam::111122223333:user/edith":"admin"}';
  const limited = JSON.stringify(rolesIn(await synthesizeTemplate({ stage: 'prod', iamRoles })));
  expect(limited).toMatch(/:assumed-role\/",\{"Ref":"ReleaseCheckRole\w+"\},"\\":\\"support\\"/);
  const atOnce = await synthesizeTemplate({ stage: 'prod', iamRoles, release: 'at-once' });
  expect(JSON.stringify(rolesIn(atOnce))).not.toContain('support');
});

test("the canary's key is issued by a function that can write only the canary's application and user", () => {
  const statements = inRegion(template, 'eu-central-1');
  const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((name) => `dynamodb:${name}`);
  const writable = (pk: string) => writing.filter((action) => allowsItem(statements, action, { pk }));
  // The roots of API keys, and those of histories.
  const macs = ['kms:GenerateMac', 'kms:GenerateMac'];
  expect(actionsOf(statements)).toEqual(
    [...always, 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', ...macs].sort(),
  );
  expect(writable('APP#canary-eu-central-1')).toEqual(['dynamodb:PutItem', 'dynamodb:UpdateItem']);
  expect(writable('USER#canary-eu-central-1')).toEqual(['dynamodb:PutItem']);
  for (const pk of ['APP#billing', 'USER#ada', 'APP#canary-eu-west-1', 'APP#canary-eu-central-1#ROLE#x', 'HISTORY#0']) {
    expect([pk, writable(pk)]).toEqual([pk, []]);
  }
});

test('only the canary and the check of releases may invoke the function that issues its key', () => {
  const id = idOf('issue-canary-key');
  const mayInvoke = [...functionsOf(template).keys()].filter((name) =>
    statementsOf(template, name).some(
      ({ Action, Resource }) =>
        [Action].flat().some((action) => action.startsWith('lambda:')) && JSON.stringify(Resource).includes(`"${id}"`),
    ),
  );
  expect(mayInvoke.sort()).toEqual(['check-release', 'run-canary']);
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

function invokedBy(name: string): (string | undefined)[] {
  const invoking = statementsOf(template, name).filter(({ Action }) => Action === 'lambda:InvokeFunction');
  return invoking.flatMap(({ Resource }) => [Resource].flat()).map(referredId);
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
