import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { thirdPartyNotice } from '#shared/files/third-party-notice.ts';

const project = join(import.meta.dirname, '../..');
/** The output folder, which also contains the manifest, README and licence of the package. */
export const cliFolder = join(import.meta.dirname, '../package');
const keptFiles = ['package.json', 'README.md', 'LICENSE'];

/**
 * Builds the package of the command line in a folder: one file for Node 20 or later, without dependencies or source maps, and
 * the licences of the bundled packages.
 */
export async function buildCli(folder: string = cliFolder): Promise<void> {
  for (const made of globSync(['dist', '*.tgz'], { cwd: folder })) rmSync(join(folder, made), { recursive: true });
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  if (folder !== cliFolder) for (const name of keptFiles) cpSync(join(cliFolder, name), join(folder, name));
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['cli/main.ts'],
    outfile: join(dist, 'auth-service.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    metafile: true,
    // THIRD-PARTY.txt has them, once for each package.
    legalComments: 'none',
    logLevel: 'warning',
    // Commander is a CommonJS module, which uses `require` for the modules of Node.
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
  });
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), thirdPartyNotice(project, Object.keys(metafile.inputs)));
}
