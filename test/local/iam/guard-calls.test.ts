import { expect, test } from '@jest/globals';
import { type AwsCall, createCallGuard } from '../../../local/iam/guard-calls.ts';

const account = 'local:000000000000';
const table = { name: 'items', arn: `arn:aws:dynamodb:${account}:table/items`, partitionKey: 'pk', indexKeys: {} };
const key = `arn:aws:kms:${account}:key/K1`;
const fn = `arn:aws:lambda:${account}:function:Other`;
const role = 'arn:aws:iam::000000000000:role/Reader';
const Version = '2012-10-17';

function guardWith({
  identity = [],
  boundary,
  ofKey = [],
}: {
  identity?: object[];
  boundary?: object[];
  ofKey?: object[];
}) {
  return createCallGuard({
    functionId: 'Reader',
    role,
    table,
    releases: 'Releases',
    identity: [{ place: 'Role', json: { Version, Statement: identity } }],
    boundary: boundary && { place: 'Boundary', json: { Version, Statement: boundary } },
    resources: [[key, [{ place: 'Key', json: { Version, Statement: ofKey } }]]],
  });
}

const put: AwsCall = call('dynamodb', 'PutItem', { TableName: 'items', Item: { pk: { S: 'a' } } });
const mac = call('kms', 'GenerateMac', { KeyId: key, MacAlgorithm: 'HMAC_SHA_256', Message: '' });
const sign = call('kms', 'Sign', { KeyId: key, SigningAlgorithm: 'ECDSA_SHA_256', MessageType: 'RAW', Message: '' });
const object = { ...call('s3', 'PUT', {}), path: '/bucket/folder/name', body: 'any text' };
const events = call('events', 'PutEvents', { Entries: [{ EventBusName: 'bus' }] });
const invoke = { ...call('lambda', '', {}), path: `/2015-03-31/functions/${encodeURIComponent(fn)}/invocations` };
const pool = `arn:aws:cognito-idp:${account}:userpool/local_People`;
const invite = call('cognito-idp', 'AdminCreateUser', { UserPoolId: 'local_People', Username: 'ada' });
const report = call('codedeploy', 'PutLifecycleEventHookExecutionStatus', { deploymentId: 'Reader' });

function call(service: string, operation: string, json: object): AwsCall {
  return { service, operation, path: '/', body: JSON.stringify(json) };
}

const json0 = { statusCode: 400, headers: { 'content-type': 'application/x-amz-json-1.0' } };
const json1 = { statusCode: 400, headers: { 'content-type': 'application/x-amz-json-1.1' } };
const rest = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' },
};
const coral = { __type: 'com.amazon.coral.service#AccessDeniedException' };
const plain = { __type: 'AccessDeniedException' };

test.each([
  ['dynamodb:PutItem', put, table.arn, json0, coral],
  ['kms:GenerateMac', mac, key, json1, plain],
  ['kms:Sign', sign, key, json1, plain],
  ['events:PutEvents', events, `arn:aws:events:${account}:event-bus/bus`, json1, plain],
  ['cognito-idp:AdminCreateUser', invite, pool, json1, plain],
  ['lambda:InvokeFunction', invoke, fn, rest, {}],
  [
    'codedeploy:PutLifecycleEventHookExecutionStatus',
    report,
    `arn:aws:codedeploy:${account}:deploymentgroup:Releases/Reader`,
    json1,
    plain,
  ],
] as const)('%s that nothing allows is refused in the form of its service', (action, given, resource, form, error) => {
  const guard = guardWith({});
  const refusal = guard.refusal(guard.decide(given));
  const Message = `User: arn:aws:sts::000000000000:assumed-role/Reader/Reader is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
  expect(refusal).toEqual({ ...form, body: JSON.stringify({ ...error, Message }) });
  const allowed = guardWith({
    identity: [{ Effect: 'Allow', Action: action, Resource: resource }],
    ofKey: [{ Effect: 'Allow', Action: '*', Resource: '*', Principal: { AWS: 'arn:aws:iam::000000000000:root' } }],
  });
  expect(allowed.refusal(allowed.decide(given))).toBeUndefined();
});

test('an object that nothing allows is refused in the form of S3', () => {
  const guard = guardWith({});
  const { statusCode, body } = guard.refusal(guard.decide(object)) ?? {};
  expect([statusCode, body]).toEqual([
    403,
    expect.stringMatching(/^<Error><Code>AccessDenied<.*s3:PutObject on resource/),
  ]);
});

test.each([
  ['kms:SigningAlgorithm', 'ECDSA_SHA_256', sign, call('kms', 'Sign', { KeyId: key, SigningAlgorithm: 'X' })],
  ['kms:MessageType', 'RAW', sign, { ...sign, body: sign.body.replace('RAW', 'DIGEST') }],
  ['s3:if-none-match', '*', { ...object, ifNoneMatch: '*' }, object],
])('the condition key %s has its value in the request', (name, value, given, other) => {
  const Condition = { StringEquals: { [name]: value } };
  const guard = guardWith({
    identity: [{ Effect: 'Allow', Action: ['kms:Sign', 's3:PutObject'], Resource: '*', Condition }],
    ofKey: [{ Effect: 'Allow', Action: '*', Resource: '*', Principal: { AWS: 'arn:aws:iam::000000000000:root' } }],
  });
  const decisions = [given, other].map((one) => guard.decide(one)[0]?.decision);
  expect(decisions).toEqual(['allowed', 'implicitly denied']);
});

test('a refusal names the kind of the policy that denies, or that does not allow', () => {
  const everything = { Effect: 'Allow', Action: '*', Resource: '*' };
  const deny = { ...everything, Effect: 'Deny' };
  const messageOf = (policies: Parameters<typeof guardWith>[0]) => {
    const guard = guardWith(policies);
    return JSON.parse(guard.refusal(guard.decide(mac))?.body ?? '{}').Message;
  };
  expect(messageOf({ identity: [everything, deny] })).toMatch(/with an explicit deny in an identity-based policy$/);
  expect(messageOf({ identity: [everything], ofKey: [{ ...deny, Principal: '*' }] })).toMatch(
    /with an explicit deny in a resource-based policy$/,
  );
  expect(messageOf({ identity: [everything] })).toMatch(
    /because no resource-based policy allows the kms:GenerateMac action$/,
  );
  const ofKey = [{ ...everything, Principal: '*' }];
  expect(messageOf({ identity: [everything], boundary: [], ofKey })).toMatch(
    /because no permissions boundary allows the kms:GenerateMac action$/,
  );
  expect(messageOf({ identity: [everything], boundary: [everything, deny], ofKey })).toMatch(
    /with an explicit deny in a permissions boundary$/,
  );
});

test('a transaction is refused if one of its entries is', () => {
  const guard = guardWith({ identity: [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table.arn }] });
  const of = { TableName: 'items', Key: { pk: { S: 'a' } } };
  const entries = [
    { Put: { TableName: 'items', Item: of.Key } },
    { ConditionCheck: { ...of, ConditionExpression: 'attribute_exists(pk)' } },
  ];
  const decided = guard.decide(call('dynamodb', 'TransactWriteItems', { TransactItems: entries }));
  expect(decided.map(({ decision }) => decision)).toEqual(['allowed', 'implicitly denied']);
  expect(guard.refusal(decided)?.body).toContain('dynamodb:ConditionCheckItem');
});

test('a request has the role, the function and TLS in its context, which conditions compare', () => {
  const Condition = {
    ArnEquals: { 'lambda:SourceFunctionArn': `arn:aws:lambda:${account}:function:Reader`, 'aws:PrincipalArn': role },
    Bool: { 'aws:SecureTransport': 'true' },
  };
  const guard = guardWith({ identity: [{ Effect: 'Allow', Action: '*', Resource: '*', Condition }] });
  expect(guard.decide(put).map(({ decision }) => decision)).toEqual(['allowed']);
});

test.each([
  ['an unknown service', call('sqs', 'SendMessage', {}), /permissions of sqs SendMessage are unknown/],
  ['another method of S3', { ...object, operation: 'GET', body: '{}' }, /permissions of s3 GET are unknown/],
  ['another operation of KMS', call('kms', 'Decrypt', {}), /permissions of kms Decrypt are unknown/],
  [
    'another operation of EventBridge',
    call('events', 'DeleteRule', {}),
    /permissions of events DeleteRule are unknown/,
  ],
  ['another path of Lambda', { ...invoke, path: '/2015-03-31/functions' }, /permissions of Lambda's/],
  ['a body that is not JSON', { ...put, body: 'x' }, SyntaxError],
  ['a key that is named by an alias', call('kms', 'GenerateMac', { KeyId: 'alias/root', MacAlgorithm: 'x' }), /KeyId/],
] as const)('%s throws, even if everything is allowed', (_, given, error) => {
  const guard = guardWith({ identity: [{ Effect: 'Allow', Action: '*', Resource: '*' }] });
  expect(() => guard.decide(given)).toThrow(error);
});
