import { execFile } from 'node:child_process';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import manifest from '../../cli/package/package.json' with { type: 'json' };
import { bareEnvironment } from '../support/environments.ts';
import { needing } from '../support/needing.ts';
import { nodeVersions } from '../support/tools.ts';
import { type InstalledCli, installCli } from './install-cli.ts';
import { type StubService, startStub } from './stub-service.ts';
import { testKey } from './verify-sigv4.ts';
import { user } from './views.ts';

let cli: InstalledCli;
let stub: StubService;
beforeAll(async () => {
  [cli, stub] = await Promise.all([installCli(), startStub()]);
});
afterAll(async () => {
  cli.remove();
  await stub.close();
});

test('the tarball has one file without dependencies or source maps, and the licences of the bundled packages', () => {
  const files = globSync('**/*', { cwd: cli.installed }).filter((path) => statSync(join(cli.installed, path)).isFile());
  expect(files.sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/THIRD-PARTY.txt',
    'dist/auth-service.js',
    'package.json',
  ]);
  const installed = JSON.parse(readFileSync(join(cli.installed, 'package.json'), 'utf8'));
  for (const member of ['dependencies', 'peerDependencies', 'scripts']) expect(installed).not.toHaveProperty(member);
  const code = readFileSync(join(cli.installed, 'dist/auth-service.js'), 'utf8');
  expect(code).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(code).not.toMatch(/sourceMappingURL|\/home\/|\/work\/|\/tmp\//);
  const notice = readFileSync(join(cli.installed, 'dist/THIRD-PARTY.txt'), 'utf8');
  expect(notice).toMatch(/^commander [\d.]+ \(MIT\)$/m);
  expect(notice).toMatch(/^@smithy\/signature-v4 [\d.]+ \(Apache-2\.0\)$/m);
  expect(notice).toContain('Copyright (c) 2011 TJ Holowaychuk');
});

for (const { version, node, tools } of nodeVersions) {
  needing(...tools).describe(`on Node.js ${version}`, () => {
    test('prints its version and its help', async () => {
      const asked = await cli.run(node, ['--version']);
      expect(asked).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
      const help = await cli.run(node, ['--help']);
      expect([help.code, help.stderr]).toEqual([0, '']);
      expect(help.stdout).toContain('Usage: npx auth-service [options] [command]');
    });

    test('names itself so that npx finds it', async () => {
      const { stderr } = await cli.run(node, ['app', 'list']);
      const [, hint = ''] = /Help: (npx auth-service .*)/.exec(stderr) ?? [];
      const env = { ...bareEnvironment, PATH: `${dirname(node)}:${process.env.PATH}`, HOME: cli.folder };
      const { stdout } = await promisify(execFile)('bash', ['-c', hint], { cwd: cli.folder, env });
      expect(stdout).toContain('Usage: npx auth-service [options] [command]');
    });

    test('sends a signed request, and prints the answer', async () => {
      stub.on('GET /users/ada', { body: user });
      const env = {
        AUTH_SERVICE_URL: stub.url,
        AWS_REGION: testKey.region,
        AWS_ACCESS_KEY_ID: testKey.accessKeyId,
        AWS_SECRET_ACCESS_KEY: testKey.secretAccessKey,
      };
      const { code, stdout, stderr } = await cli.run(node, ['users', 'show', 'ada', '--json'], env);
      expect([code, JSON.parse(stdout), stderr]).toEqual([0, user, '']);
    });

    test('signs with a profile of the AWS configuration', async () => {
      stub.on('GET /users/ada', { body: user });
      const credentials = join(cli.folder, `credentials-${version}`);
      const { accessKeyId, secretAccessKey, region } = testKey;
      writeFileSync(
        credentials,
        `[ops]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
      );
      const env = { AUTH_SERVICE_URL: stub.url, AWS_SHARED_CREDENTIALS_FILE: credentials, HOME: cli.folder };
      const args = ['users', 'show', 'ada', '--json', '--profile', 'ops', '--region', region];
      const { code, stdout } = await cli.run(node, args, env);
      expect([code, JSON.parse(stdout)]).toEqual([0, user]);
    });

    test('explains a signature offline', async () => {
      const request = join(cli.folder, `request-${version}.http`);
      writeFileSync(request, 'GET /api/service/users/ada/access HTTP/1.1\r\nHost: auth.example.com\r\n\r\n');
      const secret = `svs_${'a'.repeat(43)}`;
      const { code, stdout } = await cli.run(node, ['doctor', '--request', request, '--json'], { SECRET: secret });
      expect([code, JSON.parse(stdout)]).toMatchObject([1, { code: 'signature_missing' }]);
    });
  });
}
