import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from '@jest/globals';
import type { DataSettings } from '../../lib/releases/data-settings.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The data settings of a deployment with a copy and two root keys. */
export const ownData: DataSettings = { table: 'own', replicaRegions: ['eu-west-1'], rootKeys: ['k1', 'k2'] };

/** What the imitated account has. */
export interface DeployedAccount {
  /** The outputs of the stack. Undefined: there is no stack. */
  outputs: Record<string, string> | undefined;
  /** The physical ids of the stack's resources by logical id, each with its status if it is not `IMPORT_COMPLETE`. */
  resources: Record<string, string>;
  /** Lambda's quota of concurrent executions. Undefined: it may not be read. */
  quota: number | undefined;
  /** The names of the tables. Undefined: they may not be listed. */
  tables: readonly string[] | undefined;
  /** What STS answers about the credentials. */
  identity: string;
  /** The account and Region that the synthesized stack names. */
  environment: string;
  /** The names of the outputs that the synthesized stack has besides its data settings. */
  plannedOutputs: readonly string[];
}

/**
 * Prepares `npm run deploy` for the tests of a file, with a `cdk` that only writes the assembly and records its calls, and an
 * imitation of AWS that answers for the account, with one entry a page.
 */
export function prepareDeployCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-deploy-'));
  const account: DeployedAccount = {
    outputs: undefined,
    resources: {},
    quota: undefined,
    tables: undefined,
    identity: denied,
    environment: 'aws://unknown-account/eu-central-1',
    plannedOutputs: [],
  };
  const aws = createServer(async (request, response) => {
    const { status, body } = answer(account, { ...request.headers, url: request.url, body: await text(request) });
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
    writeFileSync(join(folder, 'cdk'), cdk);
    chmodSync(join(folder, 'cdk'), 0o755);
  });
  afterAll(() => {
    aws.close();
    rmSync(folder, { recursive: true });
  });

  /** Deploys a template with these data settings and resources. */
  async function deploy(planned: DataSettings, args: readonly string[] = [], Resources: object = {}) {
    rmSync(join(folder, 'calls'), { force: true });
    const others = account.plannedOutputs.map((name) => [name, { Value: { Ref: name } }]);
    const Outputs = { ...Object.fromEntries(others), DataSettings: { Value: JSON.stringify(planned) } };
    const env = {
      PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
      CDK_OUTDIR: folder,
      ENVIRONMENT: account.environment,
      PLANNED: JSON.stringify({ Resources, Outputs }),
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    const run = await runFile(process.execPath, [join(project, 'bin/deploy.ts'), ...args], { env }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({ code, stderr }),
    );
    return { ...run, calls: readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') };
  }
  return { folder, account, deploy };
}

const cdk = `#!/bin/bash
echo "$*" >> "$CDK_OUTDIR/calls"
[ "$1" = synth ] || exit 0
echo "$PLANNED" > "$CDK_OUTDIR/AuthService-prod.template.json"
cat > "$CDK_OUTDIR/manifest.json" <<END
{"artifacts":{"AuthService-prod":{"type":"aws:cloudformation:stack","environment":"$ENVIRONMENT","properties":{"stackName":"AuthService-prod","templateFile":"AuthService-prod.template.json","bootstrapStackVersionSsmParameter":"/cdk-bootstrap/authprod/version"}}}}
END
`;

const denied = 'AccessDenied';

interface AwsRequest {
  readonly url: string | undefined;
  readonly body: string;
  readonly authorization?: string | undefined;
  readonly 'x-amz-target'?: string | string[] | undefined;
}

function answer({ outputs, resources, quota, tables, identity }: DeployedAccount, request: AwsRequest) {
  const { url, body, authorization } = request;
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
  return { status: 200, body: isList ? pageOfResources(resources, body) : describedStack(outputs) };
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

function describedStack(outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:eu-central-1:123456789012:stack/AuthService-prod/1</StackId><StackName>AuthService-prod</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function pageOfResources(resources: Readonly<Record<string, string>>, body: string): string {
  const at = Number(new URLSearchParams(body).get('NextToken') ?? 0);
  const members = Object.entries(resources).map(([id, value]) => {
    const [physicalId, status = 'IMPORT_COMPLETE'] = value.split(' ');
    return `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus></member>`;
  });
  const next = at + 1 < members.length ? `<NextToken>${at + 1}</NextToken>` : '';
  return `<ListStackResourcesResponse ${namespace}><ListStackResourcesResult><StackResourceSummaries>${members[at] ?? ''}</StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`;
}
