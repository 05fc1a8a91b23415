import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDocuments } from '../lib/openapi/generated-documents.ts';

/** `npm run build:docs`: writes the documents and parts of documents that are generated from the contract. */
for (const [path, text] of Object.entries(generateDocuments())) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
  console.log(path);
}
