import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApis, operations } from './document.ts';
import { describeEvent } from './event-schema.ts';
import { tableOf } from './operation-table.ts';

const project = join(import.meta.dirname, '../..');

/** Makes a document anew from what it holds now; answers all of it. */
type Generate = (current: string) => string;

/** The documents that are made of the contract, or hold something that is, by their paths in the project. */
const documents: Readonly<Record<string, Generate>> = {
  'docs/openapi.json': () => JSON.stringify(describeApis(projectVersion())),
  'docs/events.md': (current) => withBlock(current, 'schema', jsonBlock(describeEvent())),
  'docs/api.md': (current) => withBlock(withBlock(current, 'service', serviceTable()), 'manage', manageTable()),
};

/** The documents as they should be, formatted, by their paths in the project. */
export function generateDocuments(): Record<string, string> {
  const made = Object.entries(documents).map(([path, generate]) => [
    path,
    formatted(path, generate(currentText(path))),
  ]);
  return Object.fromEntries(made);
}

/** A document as it is; one that is not there yet is empty. */
function currentText(path: string): string {
  return path.endsWith('.json') ? '' : readFileSync(join(project, path), 'utf8');
}

function projectVersion(): string {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version;
}

function formatted(path: string, input: string): string {
  const biome = join(project, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], { cwd: project, input, encoding: 'utf8' });
}

/** Puts text between the comments that mark its place in Markdown. */
function withBlock(document: string, name: string, text: string): string {
  const begin = `<!-- ${name}: npm run build:docs -->`;
  const end = `<!-- /${name} -->`;
  const [before, , after] = splitAt(document, begin, end);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

function splitAt(document: string, begin: string, end: string): [string, string, string] {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The document has no place for ${begin}`);
  return [document.slice(0, from), document.slice(from, to), document.slice(to + end.length)];
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${formatted('block.json', JSON.stringify(value))}\`\`\``;
}

function serviceTable(): string {
  return tableOf(operations.filter(({ scope }) => scope !== undefined));
}

function manageTable(): string {
  return tableOf(operations.filter(({ scope }) => scope === undefined));
}
