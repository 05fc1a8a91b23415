import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { LambdaVersion, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { readClientPackage } from '../../client/build/client-package.ts';
import { AccessTrigger } from '../../examples/cognito/access-trigger.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { readDocument } from '../support/run-document.ts';
import { root, textOf } from '../support/source-files.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/logins.md');
const examples = join(import.meta.dirname, '../../examples');

let application: ClientProject;
let service: TestService;
beforeAll(async () => {
  // Not at the same time: the installation blocks this process, in which the service's data is written.
  application = await installClient();
  service = await startSources();
  // The deadlines of the page's programs are for answers, not for the start of a function on a busy machine.
  await service.request(['GET', '/api/service/users/ada/access']);
});
afterAll(async () => {
  application.remove();
  await service.stop();
});

async function run(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: application.path, env: { ...process.env, ...env } };
  return (await promisify(execFile)(process.execPath, [program], options)).stdout;
}

test('the bundled Action of Auth0 decides, without the package', async () => {
  const [action = ''] = page.section('## Auth0').blocks('js');
  const [bundle = ''] = page.section('## Auth0').blocks('sh');
  application.write('action.js', action);
  application.run('sh', '-c', bundle.replace('npx esbuild', tool('esbuild')));
  // Where it is pasted there is no package.
  application.write('../action/bundled.cjs', readFileSync(join(application.path, 'bundled.js'), 'utf8'));
  application.write(
    '../action/login.cjs',
    `const { onExecutePostLogin } = require('./bundled.cjs');
const { AUTH_URL, AUTH_KEY_ID, AUTH_SECRET } = process.env;
const say = (...words) => console.log(...words);
const token = (name) => ({ setCustomClaim: (claim, roles) => say(name, claim, JSON.stringify(roles)) });
const api = { access: { deny: (reason) => say('denied:', reason) }, idToken: token('id'), accessToken: token('access') };
const event = (user_id) => ({ user: { user_id }, client: { client_id: 'AaBbCcDdEeFfGgHh' }, secrets: { AUTH_URL, AUTH_KEY_ID, AUTH_SECRET } });
onExecutePostLogin(event('ada'), api).then(() => onExecutePostLogin(event('nobody'), api));`,
  );
  const { billingKey, url } = service;
  const env = { AUTH_URL: url, AUTH_KEY_ID: billingKey.keyId, AUTH_SECRET: billingKey.secret };
  expect(await run('../action/login.cjs', env)).toBe(
    [
      'id https://example.com/roles []',
      'access https://example.com/roles []',
      'denied: You have no access to this application.\n',
    ].join('\n'),
  );
});

test('no page installs a package by a name that is not ours yet', () => {
  const [scope = ''] = readClientPackage().name.split('/');
  const pages = globSync(
    ['docs/**/*.md', '*/package/README.md', 'sdk/*/README.md', 'README.md', 'options/*/README.md'],
    {
      cwd: root,
    },
  );
  const byName = new RegExp(`(?:npm (?:install|i|add)\\b.*|npx (?!--no ))${scope}/.*`, 'g');
  const found = pages.flatMap((path) => textOf(path).match(byName) ?? []);
  expect(pages.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

test("Cognito's handler reads the keys from the secret, and decides by the installed package", async () => {
  application.linkTypes('@types/node', 'undici-types', '@aws-sdk/client-secrets-manager');
  application.write('trigger/package.json', '{ "type": "module" }');
  application.write('trigger/tokens.ts', readFileSync(join(examples, 'cognito/tokens.ts'), 'utf8'));
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: ['node'], skipLibCheck: true };
  application.write('trigger/tsconfig.json', JSON.stringify({ compilerOptions }));
  application.run(tool('tsc'), '-p', 'trigger');
  application.write(
    'trigger/login.js',
    `import { handler } from './tokens.js';
const event = (sub) => ({ version: '1', triggerSource: 'TokenGeneration_Authentication', callerContext: { clientId: 'web' }, request: { userAttributes: { sub } }, response: {} });
for (const sub of ['ada', 'nobody']) console.log(JSON.stringify(await handler(event(sub)).then((answer) => answer.response, (error) => error.message)));`,
  );
  const asked: string[] = [];
  const secrets = createServer(async (request, response) => {
    for await (const chunk of request) asked.push(String(chunk));
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ SecretString: JSON.stringify({ web: service.billingKey }) }));
  });
  await new Promise<void>((resolve) => secrets.listen(0, '127.0.0.1', resolve));
  const env = {
    AUTH_URL: service.url,
    AUTH_KEYS_ARN: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:keys',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
  };
  const said = await run('trigger/login.js', env);
  secrets.close();
  expect(
    said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { claimsOverrideDetails: { claimsToAddOrOverride: { roles: '' } } },
    'You have no access to this application.',
  ]);
  expect(asked).toEqual([JSON.stringify({ SecretId: env.AUTH_KEYS_ARN })]);
});

test.each([
  [undefined, 'V1_0'],
  [LambdaVersion.V2_0, 'V2_0'],
])('the construct attaches the trigger with its permission, and lets it read the secret alone', (version, expected) => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Login');
  const userPool = new UserPool(stack, 'People');
  const keys = Secret.fromSecretNameV2(stack, 'Keys', 'access-trigger');
  const entry = join(examples, 'cognito/tokens.ts');
  new AccessTrigger(stack, 'AccessTrigger', {
    userPool,
    entry,
    serviceUrl: 'https://auth.example.com',
    keys,
    ...(version && { version }),
  });
  const template = Template.fromStack(stack);
  const [handler = ''] = Object.keys(template.findResources('AWS::Lambda::Function', { Properties: { Timeout: 5 } }));
  const arn = { 'Fn::GetAtt': [handler, 'Arn'] };
  template.hasResourceProperties('AWS::Cognito::UserPool', {
    LambdaConfig: { PreTokenGenerationConfig: { LambdaArn: arn, LambdaVersion: expected } },
  });
  template.hasResourceProperties('AWS::Lambda::Permission', {
    FunctionName: arn,
    Principal: 'cognito-idp.amazonaws.com',
    SourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^People'), 'Arn'] },
  });
  const policies = Object.values(template.findResources('AWS::IAM::Policy'));
  expect(policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual([
    {
      Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'],
      Effect: 'Allow',
      Resource: { 'Fn::Join': ['', expect.arrayContaining([':secret:access-trigger-??????'])] },
    },
  ]);
});
