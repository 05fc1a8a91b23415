import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCli, packCli } from '../cli/build/build-cli.ts';
import { buildClient, packClient } from '../client/build/build-client.ts';
import { buildConstructs, packConstructs } from '../lib/build/build-constructs.ts';
import { releaseNotes, requireOneVersion } from './release-notes.ts';

const help = `npm run -s release -- <folder> [--draft]

Writes to a folder what a release consists of: notes.md from CHANGELOG.md, and the packages of the SDK, the command line and the CDK
constructs. It publishes nothing. docs/contribute/publishing.md says what comes before and after.

  --draft  also while the changelog says "Unreleased"
  --help   this text
`;

const project = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const packages = [
  'package.json',
  'client/package/package.json',
  'cli/package/package.json',
  'lib/package/package.json',
];

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
  await buildClient();
  await buildCli();
  await buildConstructs();
  for (const path of [packClient(), packCli(), packConstructs()]) copyFileSync(path, join(target, basename(path)));
  writeFileSync(join(target, 'notes.md'), notes);
  console.log(`${version}: ${target}`);
}
