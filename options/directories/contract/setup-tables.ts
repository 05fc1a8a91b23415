import type { GeneratedBlocks } from '#shared/openapi/generated-blocks.ts';
import { type SetupField, type SetupGuide, setupGuides } from './directory-setup.ts';

/** What to enter in each directory that has a guide. */
export const setupBlocks: GeneratedBlocks = {
  document: 'docs/integrate/directories.md',
  blocks: () => ({ okta: setupTables('okta'), entra: setupTables('entra') }),
};

/** What to enter in a directory: a table in Markdown for each of its pages. */
function setupTables(id: SetupGuide['id']): string {
  const guide = setupGuides({ apiUrl: 'https://api.example.com' }).find((one) => one.id === id);
  if (guide === undefined) throw new Error(`There is no guide for ${id}`);
  return guide.steps.map(({ place, fields }) => `**${place}**\n\n${tableOf(fields)}`).join('\n\n');
}

function tableOf(fields: readonly SetupField[]): string {
  const rows = fields.map((field) => [field.field, entryOf(field), field.note ?? '']);
  return [['field', 'value', 'note'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** Code for what is entered exactly. */
function entryOf({ value, enter }: SetupField): string {
  if (enter === 'text') return `\`${value}\``;
  return enter === 'token' ? 'a token of the connection' : value;
}
