import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { documentationOf } from '#shared/contract/documents.ts';
import { serviceOperations } from '#shared/contract/operations.ts';

const project = join(import.meta.dirname, '../..');
const source = join(project, 'client/testing/service');

/** The modules of the service that require AWS, and their replacements in the fake. */
const replacements: Readonly<Record<string, string>> = {
  'shared/table/dynamodb.ts': './memory-requests.ts',
  'shared/keys/kms.ts': './no-kms.ts',
  'shared/core/telemetry.ts': './silent-telemetry.ts',
};

/**
 * Bundles the service for the test double as a function that evaluates its code for each call, with the `Date` and the
 * `process` that are passed, so that no two test doubles share a clock, a key or a cache. Returns the paths of all that is in it.
 */
export async function bundleService(path: string, format: 'esm' | 'cjs'): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: [join(source, 'service.ts')],
    outfile: path,
    bundle: true,
    minifySyntax: true,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    metafile: true,
    plugins: [replaceModules, endpointHandlers],
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((each) => each.path));
  const start = `({ Date, process }) {
const module = { exports: {} };
${outputFiles[0]?.text ?? ''}
return module.exports.service;
}
`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, format === 'cjs' ? `exports.startService = function ${start}` : asModule(imported, start));
  return Object.keys(metafile.inputs);
}

/** Provides a `require` for the modules of Node, which an ES module does not have. */
function asModule(imported: readonly string[], start: string): string {
  const names = [...new Set(imported)];
  const imports = names.map((name, n) => `import * as module${n} from '${name}';\n`);
  const entries = names.map((name, n) => `'${name}': module${n}`);
  return `${imports.join('')}const modules = { ${entries.join(', ')} };
const require = (name) => modules[name];
export function startService${start}`;
}

const replaceModules: Plugin = {
  name: 'replace-modules',
  setup({ onLoad }) {
    for (const [path, by] of Object.entries(replacements)) {
      onLoad({ filter: new RegExp(`/${path.replaceAll('.', String.raw`\.`)}$`) }, () => ({
        contents: `export * from '${by}';`,
        resolveDir: source,
        loader: 'ts',
      }));
    }
  },
};

/** A module with the handler of every operation of the Service API that each deployment has. */
const endpointHandlers: Plugin = {
  name: 'endpoint-handlers',
  setup({ onLoad }) {
    const names = Object.values(serviceOperations)
      .filter((operation) => documentationOf(operation).onlyWith === undefined)
      .map(({ name }) => name);
    const imports = names.map((name, n) => `import { handler as handler${n} } from '../../../functions/${name}.ts';`);
    const entries = names.map((name, n) => `'${name}': handler${n}`);
    const contents = `${imports.join('')}export const endpointHandlers = { ${entries.join(', ')} };`;
    onLoad({ filter: /\/endpoint-handlers\.ts$/ }, () => ({ contents, resolveDir: source, loader: 'ts' }));
  },
};
