import { join } from 'node:path';
import { writeWhole } from '#shared/files/whole-file.ts';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { generateDocuments } from '#shared/openapi/generated-documents.ts';
import { commandReference } from '../cli/build/command-reference.ts';
import { decisionIndex } from './decision-index.ts';

/**
 * `npm run build:docs`: writes the documents, and parts of documents, that are generated from the contract and the
 * commands.
 */
const documents = {
  ...generateDocuments(),
  'docs/operate/commands.md': alignTables(commandReference()),
  'docs/decisions/README.md': decisionIndex(),
};
for (const [path, text] of Object.entries(documents)) {
  writeWhole(join(import.meta.dirname, '..', path), text, { mode: 0o666 });
  console.log(path);
}
