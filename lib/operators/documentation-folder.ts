import { join } from 'node:path';
import { writeDocsSite } from '#shared/openapi/docs-site.ts';

/** Writes the documentation site into a folder of the assembly, and returns the folder. */
export function documentationFolder(outdir: string): string {
  return writeDocsSite(join(outdir, 'docs'));
}
