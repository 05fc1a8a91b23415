import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { root, sourceFiles } from './source-files.ts';

const sources = [
  'shared/contract',
  'shared/core',
  'shared/domain',
  'shared/http',
  'shared/signature',
  'shared/table',
  'options',
];
const catalogues = ['shared/contract/error-codes.ts'];

/** The error codes that the service's source names: all of the catalogue but for those of options that are not there. */
export function answeredCodes(): ErrorCode[] {
  const files = sources.flatMap(sourceFiles).filter((file) => !catalogues.includes(file));
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => text.includes(`'${code}'`));
}
