import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { documentPaths, root, textOf } from '../support/source-files.ts';
import { testFiles } from '../support/test-projects.ts';

/** Blocks that nobody runs. */
const data = ['csv', 'http', 'json', 'mermaid', 'text'];

const changeAws =
  'They change an account of AWS. `aws-commands.test.ts` and `operate.test.ts` check their syntax, settings and outputs.';

/** The pages with other blocks than `bash`, by the reason why no walk runs these. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  [changeAws]: [
    'docs/operate/capacity.md',
    'docs/operate/costs.md',
    'docs/operate/deploy.md',
    'docs/operate/keys.md',
    'docs/operate/regions.md',
    'docs/operate/releases.md',
    'docs/operate/restore.md',
    'docs/operate/runbook.md',
    'docs/operate/tamper-evidence.md',
    'docs/operate/unproven.md',
    'lib/package/README.md',
  ],
  'They install packages, or take the time of whole runs: the tests of the packages and of CI do the same.': [
    'CONTRIBUTING.md',
    'cli/package/README.md',
    'docs/contribute/publishing.md',
    'docs/contribute/testing.md',
    'docs/operate/command-line.md',
  ],
  'They start what runs until it is stopped, which the tests of the examples do.': [
    'README.md',
    'docs/integrate/openid-connect.md',
    'options/login/company-provider.md',
  ],
  'They are programs and files, which the test of the page compiles and runs.': [
    'client/package/README.md',
    'docs/integrate/README.md',
    'docs/integrate/gateways.md',
    'docs/integrate/guards.md',
    'docs/integrate/logins.md',
    'docs/integrate/management.md',
    'docs/integrate/replica.md',
    'docs/integrate/sdk.md',
    'docs/integrate/webhooks.md',
    'sdk/go/README.md',
    'sdk/java/README.md',
    'sdk/python/README.md',
  ],
  'It is for .NET, which Debian does not have; the signer itself runs under Mono.': ['docs/integrate/quickstart.md'],
};

test('every block that a reader can run is run by a walk, or left out for a reason', () => {
  const walkers = globSync(testFiles, { cwd: root })
    .map(textOf)
    .filter((source) => /\.walk\(/.test(source));
  const isWalked = (path: string) => walkers.some((source) => source.includes(`'${path}'`));
  const pages = [...documentPaths(), 'lib/package/README.md', 'options/login/company-provider.md'];
  const languagesOf = (path: string) => [...textOf(path).matchAll(/^```(\w+)$/gm)].map(([, language = '']) => language);
  const withCommands = pages.filter((path) => languagesOf(path).includes('bash'));
  expect(withCommands.length).toBeGreaterThan(20);
  // Its commands install the package in a project of its own, in which `sdk.test.ts` runs them.
  expect(withCommands.filter((path) => !isWalked(path))).toEqual(['docs/integrate/sdk.md']);
  const others = pages.filter((path) => languagesOf(path).some((language) => ![...data, 'bash'].includes(language)));
  expect(others.sort()).toEqual(Object.values(leftOut).flat().sort());
});

test('a page whose commands need a deployment says so before the first of them', () => {
  const deploying = ['docs/operate/deploy.md', 'lib/package/README.md'];
  const others = (leftOut[changeAws] ?? []).filter((path) => !deploying.includes(path));
  const saysSo = (path: string) => /needs? a deployment on AWS/.test(textOf(path).split('```')[0] ?? '');
  expect(others.filter((path) => !saysSo(path))).toEqual([]);
});
