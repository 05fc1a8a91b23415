import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nameRepository, packPackage } from '#shared/files/pack-package.ts';
import { buildCli } from '../cli/build/build-cli.ts';
import { buildClient } from '../client/build/build-client.ts';
import { buildConstructs } from '../lib/build/build-constructs.ts';
import { releaseNotes, requireOneVersion } from './release-notes.ts';

const help = `npm run -s release -- <folder> [--draft]

Writes to a folder what a release consists of: notes.md from CHANGELOG.md, and the packages of the SDK, the command line and the CDK
constructs. It publishes nothing. docs/contribute/publishing.md says what comes before and after. In a workflow of GitHub, the packages
say which repository they come from.

  --draft  also while the changelog says "Unreleased"
  --help   this text
`;

const project = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
/** What builds each package in a folder, by that of its manifest. */
const builders: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  'client/package': buildClient,
  'cli/package': buildCli,
  'lib/package': buildConstructs,
};
const packages = ['package.json', ...Object.keys(builders).map((folder) => `${folder}/package.json`)];

const { values, positionals } = parseArgs({
  options: { draft: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined) {
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  await release(resolve(folder), values.draft ?? false);
}

async function release(target: string, isDraft: boolean): Promise<void> {
  const [, python = ''] = /^version = "(.+)"$/m.exec(read('sdk/python/pyproject.toml')) ?? [];
  const versions = Object.fromEntries(packages.map((path) => [path, String(JSON.parse(read(path)).version)]));
  const version = requireOneVersion({ ...versions, 'sdk/python/pyproject.toml': python });
  const notes = releaseNotes(read('CHANGELOG.md'), version, { isDraft });
  mkdirSync(target, { recursive: true });
  for (const [directory, build] of Object.entries(builders)) await pack(directory, build, target);
  writeFileSync(join(target, 'notes.md'), notes);
  console.log(`${version}: ${target}`);
}

/** Builds a package beside its sources, so that nothing of this run stays in them, and puts its tarball into a folder. */
async function pack(directory: string, build: (folder: string) => Promise<void>, target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-release-'));
  try {
    await build(folder);
    const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
    if (GITHUB_SERVER_URL && GITHUB_REPOSITORY)
      nameRepository(folder, { url: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, directory });
    const tarball = packPackage(folder);
    copyFileSync(tarball, join(target, basename(tarball)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
