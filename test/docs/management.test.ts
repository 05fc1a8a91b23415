import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localAccess } from '../../local/local-credentials.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { describeService } from '../support/describe-service.ts';
import { bareEnvironment } from '../support/environments.ts';
import { manageClient } from '../support/manage-client.ts';
import { newUser } from '../support/new-user.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/integrate/management.md');
const examples = page.blocks('ts');
const service = describeService();
const manage = manageClient(() => service);

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
  for (const [index, example] of examples.entries()) application.write(`examples/${index}.mts`, example);
});
afterAll(() => application.remove());

/** Runs a program with the installed package, and AWS credentials as the default chain finds them. */
async function run(program: string): Promise<string> {
  const { accessKeyId, secretAccessKey } = service.accessKey;
  const env = {
    ...bareEnvironment,
    MANAGE_URL: service.manageUrl,
    AWS_REGION: localAccess.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  application.write('examples/run.mts', program);
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/run.mts'], { cwd: application.path, env });
  return stdout;
}

test('every example compiles against the installed package', () => {
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions, include: ['?.mts'] }));
  application.linkTypes('@types/node');
  application.run(tool('tsc'), '-p', 'examples');
  expect(examples.length).toBeGreaterThan(2);
});

test('the first example creates an application and a role, and the last one changes many users', async () => {
  const userId = await newUser();
  const [first = '', , last = ''] = examples;
  const appId = 'managed-page';
  await run(first.replaceAll("'billing'", `'${appId}'`));
  expect(await manage('iam', 'GET', `/applications/${appId}/roles/editor`)).toMatchObject({ status: 200 });
  const called = `${last.replaceAll("'billing'", `'${appId}'`)}\nawait disable([${JSON.stringify(userId)}]);`;
  expect(await run(called)).toBe('1 of 1\n');
});
