import { join } from 'node:path';
import { writeWhole } from '#shared/files/whole-file.ts';
import { generateDocuments } from '#shared/openapi/generated-documents.ts';

/** `npm run build:docs`: writes the documents and parts of documents that are generated from the contract. */
for (const [path, text] of Object.entries(generateDocuments())) {
  writeWhole(join(import.meta.dirname, '..', path), text, { mode: 0o666 });
  console.log(path);
}
