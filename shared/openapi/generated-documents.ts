import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as catalog from '#options/catalog.ts';
import { callerSchema, changeSchema, recordedStateSchema } from '#shared/contract/change-schemas.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { alignTables } from './align-tables.ts';
import { describeClientContract } from './client-contract.ts';
import { clientName, showClientName } from './client-name.ts';
import { describeApis } from './describe-apis.ts';
import { describeManagementContract } from './describe-management.ts';
import { type DescribedOperation, operations } from './described-operations.ts';
import type { GeneratedBlocks } from './generated-blocks.ts';
import { describeNamed, describeSchema, type JsonSchema } from './json-schema.ts';
import { withoutDefault } from './schemas.ts';

const project = join(import.meta.dirname, '../..');

/** Generates a document from its current text; returns the whole text. */
type Generate = (current: string) => string;

/** The documents that are generated from the contract, in whole or in part, by their paths in the project. */
const documents: Readonly<Record<string, Generate>> = {
  'docs/openapi.json': () => JSON.stringify(describeApis(projectVersion())),
  'client/service-contract.ts': () => describeClientContract(),
  'client/management/management-contract.ts': () => describeManagementContract(),
  'docs/integrate/events.md': (current) => withBlock(current, 'schema', jsonBlock(describeEvent())),
  'docs/integrate/api.md': (current) =>
    withBlock(withBlock(current, 'service', serviceTable()), 'manage', manageTable()),
  ...Object.fromEntries(membersOf(catalog, 'blocks').map(generatingBlocks)),
};

function generatingBlocks({ document, blocks }: GeneratedBlocks): [string, Generate] {
  return [
    document,
    (current) => Object.entries(blocks()).reduce((text, [name, block]) => withBlock(text, name, block), current),
  ];
}

/** The generated documents, formatted, by their paths in the project. */
export function generateDocuments(): Record<string, string> {
  const generated = Object.entries(documents).map(([path, generate]) => [
    path,
    formatted(path, generate(currentText(path))),
  ]);
  return showClientName(clientName(), Object.fromEntries(generated));
}

/** The current text of a document that is generated only in part. */
function currentText(path: string): string {
  return path.endsWith('.md') ? readFileSync(join(project, path), 'utf8') : '';
}

function projectVersion(): string {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version;
}

/** The code formatter does not support Markdown. */
function formatted(path: string, input: string): string {
  if (path.endsWith('.md')) return alignTables(input);
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
  if (from === -1 || to < from) throw new Error(`The document lacks ${begin} or its end`);
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

const eventOptions = { named: { Caller: callerSchema, RecordedState: recordedStateSchema }, base: '#/$defs/' };

/** The `detail` of every event as a self-contained JSON Schema 2020-12. */
function describeEvent(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Change',
    ...describeSchema(changeSchema, eventOptions),
    $defs: describeNamed(eventOptions),
  };
}

/** Operations at a glance, as a table in Markdown. */
function tableOf(operations: readonly DescribedOperation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.name}\``,
    requestOf(operation),
    bodyOf(operation),
    answerOf(operation),
    `\`${operation.scope ?? operation.role}\``,
  ]);
  const scoped = operations.some(({ scope }) => scope !== undefined);
  const head = ['operation', 'request', 'body', 'answer', scoped ? 'scope' : 'role'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function requestOf({ method, path, query }: DescribedOperation): string {
  const names = Object.keys(query?.entries ?? {});
  const parameters = names.length === 0 ? '' : `?${names.join('&')}`;
  return `\`${method} ${path}${parameters}\``;
}

/** The members of the body. A question mark follows an optional member, or the braces if the whole body is optional. */
function bodyOf({ body }: DescribedOperation): string {
  if (body === undefined) return '';
  const { entries = {} } = withoutDefault(body) as { entries?: Readonly<Record<string, { type: string }>> };
  const members = Object.entries(entries).map(([name, { type }]) => (isOptional(type) ? `${name}?` : name));
  return `\`{ ${members.join(', ')} }${body.type === 'optional' ? '?' : ''}\``;
}

function answerOf({ statuses = [200] }: DescribedOperation): string {
  return [...statuses].sort().join(', ');
}

function isOptional(type: string): boolean {
  return ['optional', 'exact_optional', 'nullish'].includes(type);
}
