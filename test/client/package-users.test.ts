import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entryNames, readClientPackage } from '../../client/build/client-package.ts';
import { needing } from '../support/needing.ts';
import { nodeVersions } from '../support/tools.ts';
import { type ClientProject, installClient, tool } from './install-package.ts';

const project = join(import.meta.dirname, '../..');
const { name } = readClientPackage();

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
  application.write('program.mjs', `import * as client from '${name}';\n${signed}`);
  const names = '{ AuthServiceClient }';
  const ofTests = '{ createFakeAuthService }';
  application.write(
    'testing.mjs',
    `import ${names} from '${name}'; import ${ofTests} from '${name}/testing';${testing}`,
  );
  application.write(
    'testing.cjs',
    `const ${names} = require('${name}'); const ${ofTests} = require('${name}/testing'); (async () => {${testing}})();`,
  );
  application.write('program.cjs', `const client = require('${name}');\n(async () => {\n${signed}})();\n`);
});
afterAll(() => application.remove());

/** A program that calls every operation of a service in memory. */
const testing = `
  const service = await createFakeAuthService({ users: ['ada'], roles: ['editor'] });
  const client = new AuthServiceClient(service.options);
  await service.setAccess('ada', { status: 'disabled', until: new Date(Date.now() + 3600_000) });
  const [before] = await client.checkAccess(['ada']);
  service.advance(3600);
  const after = await client.getAccess('ada');
  const { roles } = await client.assignRole('ada', 'editor');
  await client.revokeRole('ada', 'editor');
  await client.setAccess('ada', { status: 'disabled' });
  const { value } = await client.changes().next();
  console.log(before.decidedBy, after.decidedBy, roles.length, value.items.length);
`;
const tested = 'explicit lapsed 1 7\n';

const signed = `
  const key = { keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX', secret: 'svs_' + 'A'.repeat(43) };
  const request = new Request('https://auth.example.com/api/service/users/ada/access');
  const signed = await client.signRequest(request, key);
  const fetch = async (sent) => Response.json(
    { userId: 'ada', appId: 'billing', effectiveStatus: 'enabled', roles: [] },
    { headers: { 'request-nonce': /nonce="([^"]+)/.exec(sent.headers.get('signature-input'))[1] } },
  );
  const service = new client.AuthServiceClient({ baseUrl: 'https://auth.example.com', ...key, fetch });
  console.log(signed.headers.get('signature').split('=')[0], await service.isAllowed('ada'));
`;
const expected = 'sig1 true\n';

for (const { version, node, tools } of nodeVersions) {
  needing(...tools).describe(`Node ${version}`, () => {
    test('runs the client as an ES module and as CommonJS', () => {
      expect(application.run(node, '--version')).toMatch(`v${version}.`);
      expect([application.run(node, 'program.mjs'), application.run(node, 'program.cjs')]).toEqual([
        expected,
        expected,
      ]);
    });

    test('runs the service in memory as an ES module and as CommonJS', () => {
      const printed = ['testing.mjs', 'testing.cjs'].map((path) => application.run(node, path));
      expect(printed).toEqual([tested, tested]);
    });

    test('runs the command', () => {
      const program = join(application.installed, 'dist/conformance.js');
      expect(application.run(node, program, 'conformance', '--help')).toContain(
        'auth-service-client conformance --url',
      );
    });

    test('loads every entry point as an ES module and as CommonJS', () => {
      const paths = entryNames(readClientPackage()).map((entry) => (entry === 'index' ? name : `${name}/${entry}`));
      const load = `Promise.all(${JSON.stringify(paths)}.map(async (path) =>
      Object.keys(await import(path)).filter((name) => require(path)[name] === undefined).join()))
      .then((missing) => console.log(missing.join('')))`;
      expect(application.run(node, '-e', load).replace('default', '').replace('module.exports', '').trim()).toBe('');
    });
  });
}

const guards = [
  ['express', 'guard'],
  ['fastify', 'guard'],
  ['hono', 'guard'],
  ['guard', 'checkRequest.bind(null, {})'],
] as const;

test.each(guards)('the guard of /%s rejects a misspelt role option in JavaScript', (entry, guard) => {
  const program = `
    const options = { source: { getAccess() {} }, userId: () => 'ada' };
    const create = async (more) => (entry.${guard})({ ...options, ...more });
    create({ role: ['editor'] }).then(() => create({ roles: ['editor'] })).catch(({ name, message }) => console.log(name, message));`;
  application.write('guard.mjs', `import * as entry from '${name}/${entry}';${program}`);
  application.write('guard.cjs', `const entry = require('${name}/${entry}');${program}`);
  const refused = 'TypeError guard has no option roles: did you mean role?\n';
  const printed = ['guard.mjs', 'guard.cjs'].map((path) => application.run(process.execPath, path));
  expect(printed).toEqual([refused, refused]);
});

test('Jest requires the client from CommonJS', () => {
  application.write(
    'jest/client.test.js',
    `const { AuthServiceClient, AuthServiceError } = require('${name}');
    test('the client', async () => {
      const key = { keyId: 'svk_k1_billing_1', secret: 'svs_' + 'A'.repeat(43) };
      const fetch = async () => Response.json({ code: 'scope_missing' }, { status: 403 });
      const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...key, fetch });
      await expect(client.isAllowed('ada')).rejects.toBeInstanceOf(AuthServiceError);
    });`,
  );
  application.write('jest/package.json', '{ "jest": { "testEnvironment": "node", "transform": {} } }');
  const jest = join(project, 'node_modules/jest/bin/jest.js');
  // Without the options for ES modules that this project's own tests need.
  const options = ['--rootDir', 'jest', '--json', '--silent'];
  const { numPassedTests } = JSON.parse(application.run('env', 'NODE_OPTIONS=', process.execPath, jest, ...options));
  expect(numPassedTests).toBe(1);
});

test('Vite bundles the client', () => {
  application.write('index.html', '<script type="module" src="/program.mjs"></script>');
  application.write('vite.config.mjs', 'export default { build: { target: "es2022", modulePreload: false } };');
  application.run(tool('vite'), 'build', '--logLevel', 'error');
  const [bundle = ''] = globSync('dist/assets/*.js', { cwd: application.path });
  expect(application.run(process.execPath, bundle)).toBe(expected);
});

test.each(['program.mjs', 'program.cjs'])('esbuild bundles the client into %s', (program) => {
  const outfile = `bundled/${program}`;
  application.run(
    tool('esbuild'),
    program,
    '--bundle',
    '--platform=node',
    `--outfile=${outfile}`,
    `--format=${program.endsWith('.mjs') ? 'esm' : 'cjs'}`,
  );
  expect(application.run(process.execPath, outfile)).toBe(expected);
});

test.each(['testing.mjs', 'testing.cjs'])('esbuild bundles and minifies the service in memory into %s', (program) => {
  const outfile = `bundled/${program}`;
  const format = `--format=${program.endsWith('.mjs') ? 'esm' : 'cjs'}`;
  application.run(tool('esbuild'), program, '--bundle', '--minify', '--platform=node', format, `--outfile=${outfile}`);
  expect(application.run(process.execPath, outfile)).toBe(tested);
});

describe('two copies of the client in one program, as an ES module and as CommonJS', () => {
  test("recognize each other's errors", () => {
    application.write(
      'copies.mjs',
      `import * as one from '${name}';
      import { createRequire } from 'node:module';
      const other = createRequire(import.meta.url)('${name}');
      class Mine extends other.NotFoundError {}
      const failure = { code: 'user_not_found', detail: '' };
      const error = new one.NotFoundError(failure);
      const classes = ['AuthServiceError', 'NotFoundError', 'ForbiddenError'];
      console.log(JSON.stringify([
        one.NotFoundError === other.NotFoundError,
        classes.map((name) => error instanceof other[name]),
        [error instanceof Mine, new Mine(failure) instanceof Mine, new Mine(failure) instanceof one.NotFoundError],
        [undefined, null, 'text', {}, new Error('other')].some((value) => value instanceof other.AuthServiceError),
      ]));`,
    );
    const recognised = JSON.parse(application.run(process.execPath, 'copies.mjs'));
    expect(recognised).toEqual([false, [true, true, false], [false, true, true], false]);
  });

  test('throw errors with the names of their classes, even when minified', () => {
    const program = `
      const fetch = async () => new Response('', { status: 500 });
      const key = { keyId: 'svk_k1_billing_1', secret: 'svs_' + 'A'.repeat(43) };
      new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...key, fetch }).getAccess('ada').catch((error) => {
        console.log(error.name, error.constructor.name, error instanceof UnexpectedAnswerError);
      });`;
    application.write('named.mjs', `import { AuthServiceClient, UnexpectedAnswerError } from '${name}';${program}`);
    application.write(
      'named.cjs',
      `const { AuthServiceClient, UnexpectedAnswerError } = require('${name}');${program}`,
    );
    for (const path of ['named.mjs', 'named.cjs']) {
      const options = ['--bundle', '--minify', '--platform=node', `--format=${path.endsWith('.mjs') ? 'esm' : 'cjs'}`];
      application.run(tool('esbuild'), path, ...options, `--outfile=minified/${path}`);
      const printed = [path, `minified/${path}`].map((file) => application.run(process.execPath, file));
      expect(printed).toEqual(Array(2).fill('UnexpectedAnswerError UnexpectedAnswerError true\n'));
    }
  });

  test("recognize each other's errors of the Management client, also those of the part that is loaded on demand", () => {
    application.write('aws-config', '[profile vault]\ncredential_process = /bin/false\n');
    application.write(
      'management.mjs',
      `import * as one from '${name}/management';
      import { createRequire } from 'node:module';
      const other = createRequire(import.meta.url)('${name}/management');
      const url = 'https://abc.lambda-url.eu-central-1.on.aws';
      const failure = await one.createManagementClient({ url, profile: 'vault' }).call('get-operator', {}).catch((error) => error);
      const classes = [one, other].flatMap(({ CredentialsError, ManagementError }) => [CredentialsError, ManagementError]);
      const refusal = new one.ManagementError({ code: 'internal', detail: '', isSent: true });
      console.log(JSON.stringify([failure, refusal].map((error) => classes.map((each) => error instanceof each))));`,
    );
    const file = `AWS_CONFIG_FILE=${join(application.path, 'aws-config')}`;
    const recognised = JSON.parse(application.run('env', file, process.execPath, 'management.mjs'));
    expect(recognised).toEqual([Array(4).fill(true), [false, true, false, true]]);
  });

  test('have compatible types', () => {
    application.write(
      'types/common.cts',
      `import { AuthServiceClient, AuthServiceError, UnavailableError } from '${name}';
      export const allows = (client: AuthServiceClient) => client.isAllowed('ada');
      export const codeOf = (error: AuthServiceError) => error.code;
      export const waitFor = (error: UnavailableError) => error.retryAfterSeconds;`,
    );
    application.write(
      'types/module.mts',
      `import { AuthServiceClient, AuthServiceError, NotFoundError, UnavailableError } from '${name}';
      import { allows, codeOf, waitFor } from './common.cjs';
      declare const client: AuthServiceClient;
      declare const error: AuthServiceError;
      void allows(client);
      if (error instanceof NotFoundError) codeOf(error);
      else if (error instanceof UnavailableError) waitFor(error);
      else codeOf(error);`,
    );
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
    };
    application.write('types/tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }));
    application.run(tool('tsc'), '-p', 'types');
  });
});
