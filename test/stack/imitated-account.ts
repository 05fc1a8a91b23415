import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';

/** What the imitated account has. */
export interface ImitatedAccount {
  /** The outputs of the stack. Undefined: there is no stack. */
  outputs: Record<string, string> | undefined;
  /** The physical ids of the stack's resources by logical id, each with its status if it is not `IMPORT_COMPLETE`. */
  resources: Record<string, string>;
  /** Lambda's quota of concurrent executions. Undefined: it may not be read. */
  quota: number | undefined;
  /** The log groups that are protected against deletion. */
  protectedLogs: readonly string[];
  /** The names of the tables. Undefined: they may not be listed. */
  tables: readonly string[] | undefined;
  /** What STS answers about the credentials. */
  identity: string;
  /** The variant of the bootstrap. Undefined: there is none. */
  bootstrap: string | undefined;
  /** The status of the stack. */
  status: string;
}

/** Imitates AWS for the tests of a file: answers for an account that they change, with one entry a page. */
export function imitateAws() {
  const account: ImitatedAccount = {
    outputs: undefined,
    resources: {},
    quota: undefined,
    protectedLogs: [],
    tables: undefined,
    identity: denied,
    bootstrap: 'AWS CDK: Default Resources',
    status: 'UPDATE_IN_PROGRESS',
  };
  /** The operations that were asked for, such as `cloudformation:DescribeStacks`. */
  const asked = new Set<string>();
  const server = createServer(async (request, response) => {
    const sent = { ...request.headers, url: request.url, body: await text(request) };
    asked.add(operationOf(sent));
    const { status, body } = answer(account, sent);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());
  return { account, asked, url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const denied = 'AccessDenied';

interface AwsRequest {
  readonly url: string | undefined;
  readonly body: string;
  readonly authorization?: string | undefined;
  readonly 'x-amz-target'?: string | string[] | undefined;
}

function operationOf({ body, 'x-amz-target': target }: AwsRequest): string {
  const [, operation] = /Action=(\w+)/.exec(body) ?? [];
  return operation === undefined
    ? String(target).replace(/^DynamoDB_\d+\./, 'dynamodb:')
    : `cloudformation:${operation}`;
}

function answer(
  { outputs, resources, quota, tables, identity, bootstrap, status, protectedLogs }: ImitatedAccount,
  request: AwsRequest,
) {
  const { url, body, authorization } = request;
  const ofOthers = answerOfBootstrap(bootstrap, request) ?? answerOfLogs(protectedLogs, request);
  if (ofOthers !== undefined) return ofOthers;
  if (request['x-amz-target'] === 'DynamoDB_20120810.ListTables') {
    if (tables === undefined) return { status: 400, body: notAllowed };
    return { status: 200, body: pageOfTables(tables, JSON.parse(body).ExclusiveStartTableName) };
  }
  if (url === '/2016-08-19/account-settings/') {
    if (quota === undefined || !authorization?.includes('/lambda/aws4_request'))
      return { status: 403, body: notAllowed };
    return { status: 200, body: { AccountLimit: { ConcurrentExecutions: quota } } };
  }
  if (authorization?.includes('/sts/aws4_request')) return { status: identity === denied ? 403 : 200, body: identity };
  if (outputs === undefined) return { status: 400, body: missingStack };
  const isList = body.includes('Action=ListStackResources');
  return { status: 200, body: isList ? pageOfResources(resources, body) : describedStack(outputs, status) };
}

function answerOfBootstrap(variant: string | undefined, request: AwsRequest) {
  if (request['x-amz-target'] === 'AmazonSSM.GetParameter') {
    if (variant !== undefined) return { status: 200, body: { Parameter: { Value: '30' } } };
    return { status: 400, body: { __type: 'ParameterNotFound' } };
  }
  return request.body.includes('StackName=CDKToolkit-') ? { status: 200, body: describedToolkit(variant) } : undefined;
}

function answerOfLogs(protectedLogs: readonly string[], request: AwsRequest) {
  if (request['x-amz-target'] !== 'Logs_20140328.DescribeLogGroups') return undefined;
  const { logGroupNamePrefix: logGroupName } = JSON.parse(request.body);
  const deletionProtectionEnabled = protectedLogs.includes(logGroupName);
  return { status: 200, body: { logGroups: [{ logGroupName, deletionProtectionEnabled }] } };
}

const notAllowed = {
  __type: 'com.amazon.coral.service#AccessDeniedException',
  Message: 'is not authorized',
};

function pageOfTables(tables: readonly string[], last: string | undefined) {
  const [name, ...others] = tables.slice(last === undefined ? 0 : tables.indexOf(last) + 1);
  return { TableNames: name === undefined ? [] : [name], ...(others.length > 0 && { LastEvaluatedTableName: name }) };
}

const namespace = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';

// CloudFormation has no code of its own for this.
const missingStack = `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id AuthService-prod does not exist</Message></Error></ErrorResponse>`;

function describedStack(outputs: Readonly<Record<string, string>>, status: string): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:eu-central-1:123456789012:stack/AuthService-prod/1</StackId><StackName>AuthService-prod</StackName><StackStatus>${status}</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function describedToolkit(variant: string | undefined): string {
  const parameter = `<member><ParameterKey>BootstrapVariant</ParameterKey><ParameterValue>${variant}</ParameterValue></member>`;
  return `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks><member><StackName>CDKToolkit</StackName><Parameters>${parameter}</Parameters></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** As far as a deployment distinguishes types. */
function typeOf(id: string): string {
  return /Log[0-9A-F]{8}$/.test(id) ? 'AWS::Logs::LogGroup' : 'AWS::DynamoDB::GlobalTable';
}

function pageOfResources(resources: Readonly<Record<string, string>>, body: string): string {
  const at = Number(new URLSearchParams(body).get('NextToken') ?? 0);
  const members = Object.entries(resources).map(([id, value]) => {
    const [physicalId, status = 'IMPORT_COMPLETE'] = value.split(' ');
    return `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus><ResourceType>${typeOf(id)}</ResourceType></member>`;
  });
  const next = at + 1 < members.length ? `<NextToken>${at + 1}</NextToken>` : '';
  return `<ListStackResourcesResponse ${namespace}><ListStackResourcesResult><StackResourceSummaries>${members[at] ?? ''}</StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`;
}
