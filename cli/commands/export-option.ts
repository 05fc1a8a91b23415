import { InvalidArgumentError, Option } from 'commander';
import * as options from '#options/cli-exports.ts';
import { type ExportFormat, formatOfChanges } from '../history/export-changes.ts';

/** A file that is to be written, and its format. */
export interface ExportTarget {
  readonly file: string;
  readonly format: ExportFormat;
}

/** By the ending of the file. */
const formats: Readonly<Record<string, ExportFormat>> = {
  csv: formatOfChanges('csv'),
  json: formatOfChanges('json'),
  ...options,
};

/** `--export`: writes all changes to a file, whose ending is its format. Its value is an `ExportTarget`. */
export function exportOption(): Option {
  const endings = Object.entries(formats).map(([name, { contains }]) => `.${name}${contains ? ` ${contains}` : ''}`);
  const description = `write all changes to a file ending in ${new Intl.ListFormat('en', { type: 'disjunction' }).format(endings)}`;
  return new Option('--export <file>', description).argParser(parseTarget).conflicts(['cursor', 'all', 'limit']);
}

function parseTarget(file: string): ExportTarget {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? [];
  const format = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (format !== undefined) return { file, format };
  const allowed = Object.keys(formats).map((name) => `.${name}`);
  throw new InvalidArgumentError(`The file must end in ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}.`);
}
