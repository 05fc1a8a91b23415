import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildOnce, keyOfBuild } from '../functions/build-cache.ts';
import { projectDirectory } from '../functions/function-files.ts';

const require = createRequire(import.meta.url);

/**
 * Returns a folder with the documentation site: an earlier one, if nothing has changed that it is made from. What renders it is
 * loaded only to do that; together they would take a tenth of a synthesis.
 */
export function documentationFolder(): string {
  const folder = buildOnce('documentation', keyOfBuild(), (empty) => {
    const { writeDocsSite }: typeof import('#shared/openapi/docs-site.ts') = require('#shared/openapi/docs-site.ts');
    writeDocsSite(join(empty, 'docs'));
    return ['shared/openapi', 'docs/integrate'].flatMap(filesIn).concat('docs/openapi.json');
  });
  return join(folder, 'docs');
}

function filesIn(folder: string): string[] {
  return readdirSync(join(projectDirectory, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);
}
