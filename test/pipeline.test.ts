import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { nameRepository } from '#shared/files/pack-package.ts';
import { releaseNotes, requireOneVersion } from '../bin/release-notes.ts';
import { needing } from './support/needing.ts';
import { actionlint } from './support/tools.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '..');
const workflows = join(project, '.github/workflows');
const files = readdirSync(workflows);
const read = (file: string) => readFileSync(join(workflows, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'auth-service-pipeline-'));

describe('the pipeline', () => {
  needing('actionlint').test('passes actionlint', async () => {
    const lint = (paths: readonly string[]) => runFile(process.execPath, [actionlint, ...paths]);
    await lint(files.map((file) => join(workflows, file)));
    const wrong = join(folder, 'wrong.yml');
    writeFileSync(
      wrong,
      read('diff.yml').replace('npm ci --no-audit --no-fund', `echo \${{ github.event.pull_request.title }}`),
    );
    await expect(lint([wrong])).rejects.toMatchObject({ code: 1 });
  });

  test('runs only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const commands = files.flatMap((file) => [...read(file).matchAll(/^\s+- run: (.*)$/gm)].map(([, run = '']) => run));
    const allowed = [
      /^npm ci --no-audit --no-fund$/,
      /^mkdir -p \.local$/,
      /^bash \.ci\/run$/,
      /^pipx run build --outdir release sdk\/python$/,
      /^sudo apt-get -qq update && sudo apt-get -qq install -y --no-install-recommends [a-z0-9 -]+$/,
      /^gh release create "v\$\(node -p "require\('\.\/package\.json'\)\.version"\)" --target "\$GITHUB_SHA" --notes-file release\/notes\.md /,
    ];
    const others = commands.filter((command) => !allowed.some((pattern) => pattern.test(command)));
    const names = others.map((command) => /^npm run (?:-s )?([\w:]+)/.exec(command)?.[1] ?? command);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    expect([...new Set(names)].sort()).toEqual(['deploy', 'diff', 'docs:reference', 'release', 'smoke', 'synth']);
  });

  test('pins every action by its digest, with the version beside it', () => {
    const used = files.flatMap((file) =>
      [...read(file).matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(([, action = '']) => action),
    );
    expect(used.length).toBeGreaterThan(5);
    const pinned = /^(?:\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect(used.filter((action) => !pinned.test(action))).toEqual([]);
  });

  test('gives the code of a pull request no role, no secret and no token that may write', () => {
    const ofPullRequests = files.filter((file) => /^ {2}pull_request(?:_target)?:/m.test(read(file)));
    expect(ofPullRequests.sort()).toEqual(['check.yml', 'diff.yml']);
    for (const file of ofPullRequests) {
      expect(read(file)).not.toMatch(
        /pull_request_target|: write|secrets\.|environment:|configure-aws-credentials|github\.token/,
      );
    }
  });

  test('deploys from the check to staging and then prod, and accesses AWS only through the environment of the stage', () => {
    const deliver = read('deliver.yml');
    expect([...deliver.matchAll(/^ {2}(\w+):$/gm)].map(([, job]) => job)).toEqual(
      expect.arrayContaining(['check', 'synthesize', 'staging', 'prod']),
    );
    // A copy of the repository has no role, and not this variable.
    expect(deliver).toMatch(/ {2}staging:\n {4}needs: \[check, synthesize\]\n {4}if: vars\.DELIVER == 'on'\n/);
    expect(deliver).toMatch(/ {2}prod:\n {4}needs: staging/);
    expect(read('deploy.yml')).toMatch(/^ {4}environment: \$\{\{ inputs\.stage \}\}$/m);
    for (const file of files) {
      expect([file, read(file)]).not.toEqual([file, expect.stringMatching(/aws-(?:access|secret)/)]);
      if (!read(file).includes('configure-aws-credentials')) continue;
      expect([file, read(file)]).toEqual([file, expect.stringMatching(/^ {4}environment: /m)]);
    }
  });
});

describe('a release', () => {
  const changelog =
    '# Changelog\n\n## [0.2.0] - Unreleased\n\n- New\n\n## [0.1.0] - 2026-12-01\n\n- Old\n\n## Table formats\n';

  test('says what the section of its version says, once that has a date', () => {
    expect(releaseNotes(changelog, '0.1.0')).toBe('- Old\n');
    expect(() => releaseNotes(changelog, '0.2.0')).toThrow('replace "Unreleased" by the date of the release');
    expect(releaseNotes(changelog, '0.2.0', { isDraft: true })).toBe('- New\n');
    expect(() => releaseNotes(changelog, '0.3.0')).toThrow('CHANGELOG.md has no section "## [0.3.0] - <date>"');
  });

  test('has packages of one version', () => {
    expect(requireOneVersion({ 'package.json': '0.1.0', 'cli/package/package.json': '0.1.0' })).toBe('0.1.0');
    expect(() => requireOneVersion({ 'package.json': '0.2.0', 'cli/package/package.json': '0.1.0' })).toThrow(
      'cli/package/package.json: 0.1.0',
    );
  });

  test('has packages of one scope, with keywords and the repository that the workflow runs in', () => {
    const folders = ['client/package', 'cli/package', 'lib/package'];
    const manifests = folders.map((folder) => JSON.parse(readFileSync(join(project, folder, 'package.json'), 'utf8')));
    expect(new Set(manifests.map(({ name }) => name.split('/')[0])).size).toBe(1);
    expect(manifests.every(({ keywords }) => keywords.length > 2)).toBe(true);
    expect(readFileSync(join(project, 'sdk/python/pyproject.toml'), 'utf8')).toMatch(/^keywords = \["/m);
    const folder = mkdtempSync(join(tmpdir(), 'auth-service-release-'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "a" }');
    nameRepository(folder, { url: 'https://github.com/example/auth', directory: 'cli/package' });
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
      name: 'a',
      repository: { type: 'git', url: 'git+https://github.com/example/auth.git', directory: 'cli/package' },
      homepage: 'https://github.com/example/auth#readme',
      bugs: 'https://github.com/example/auth/issues',
    });
    rmSync(folder, { recursive: true });
  });

  test('is not made without a folder', async () => {
    const asked = runFile(process.execPath, ['--disable-warning=ExperimentalWarning', join(project, 'bin/release.ts')]);
    await expect(asked).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('npm run -s release') });
  });
});

describe('the role of a stage, as the page creates it', () => {
  const page = readFileSync(join(project, 'docs/operate/releases.md'), 'utf8');
  /** The policy after an option of the AWS CLI, with the values of the shell's variables. */
  const policyAfter = (option: string) => {
    const [, text = ''] = new RegExp(`${option} '(\\{"Version".*?\\]\\})'\\n`, 's').exec(page) ?? [];
    const variables = { STAGE: 'prod', ACCOUNT: '1', REGION: 'r', QUALIFIER: 'q', REPOSITORY: 'o/r' };
    const filled = text
      .replaceAll(/'"(.*?)"'/g, (_, names: string) => names)
      .replaceAll(/\$(\w+)/g, (_, name: keyof typeof variables) => variables[name]);
    return JSON.parse(filled).Statement;
  };

  test('can be assumed only by a job in the environment of the stage', () => {
    const [trust, ...others] = policyAfter('--assume-role-policy-document');
    expect([trust.Action, others]).toEqual(['sts:AssumeRoleWithWebIdentity', []]);
    expect(trust.Condition).toEqual({
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': 'repo:o/r:environment:prod',
      },
    });
  });

  test("can assume only the roles of the stage's bootstrap, and never that of CloudFormation", () => {
    const statements: { Action: string; Resource: string | string[] }[] = policyAfter('--policy-document');
    const assumed = statements.filter(({ Action }) => Action === 'sts:AssumeRole').flatMap(({ Resource }) => Resource);
    expect(assumed).toEqual(
      ['deploy', 'lookup', 'file-publishing'].map((name) => `arn:aws:iam::1:role/cdk-q-${name}-role-1-r`),
    );
  });
});

describe('the summary of a pull request', () => {
  const runScript = (name: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
    runFile(process.execPath, ['--disable-warning=ExperimentalWarning', join(project, 'bin', name), ...args], { env });

  test('says what each stage would change, in a fence that no text ends', async () => {
    writeFileSync(
      join(folder, 'cdk'),
      `#!/bin/sh\necho "$@" >&2\necho '\`\`\`'\ncase "$*" in *staging*) n=0;; *) n=1;; esac\necho "Number of stacks with differences: $n"\n`,
    );
    chmodSync(join(folder, 'cdk'), 0o755);
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { stdout } = await runScript('write-diff.ts', ['staging', 'prod'], env);
    expect(stdout).toContain('### `staging`: no changes');
    expect(stdout).toContain('### `prod`: changes');
    expect(stdout).toContain('diff --method=template --context stage=prod');
    expect(stdout.match(/^~~~~~~/gm)).toHaveLength(4);
  });

  test('compares with the templates of a checkout of the base, and asks AWS nothing', async () => {
    const synth = `[ "$1" = synth ] && touch "$4/AuthService-prod.template.json"`;
    writeFileSync(join(folder, 'cdk'), `#!/bin/sh\n${synth}\necho "$(pwd): $@"\n`);
    chmodSync(join(folder, 'cdk'), 0o755);
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { stdout } = await runScript('write-diff.ts', ['--base', folder, 'prod'], env);
    expect(stdout).toMatch(
      /: diff --method=template --context stage=prod --template \/\S+\/AuthService-prod\.template\.json$/m,
    );
  });

  test('is not written when the stack cannot be synthesized', async () => {
    writeFileSync(join(folder, 'cdk'), '#!/bin/sh\necho broken >&2\nexit 1\n');
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    await expect(runScript('write-diff.ts', ['prod'], env)).rejects.toMatchObject({ code: 1, stdout: '' });
  });
});
