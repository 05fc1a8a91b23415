import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { copyDeclarations } from '#shared/files/copy-declarations.ts';
import { thirdPartyNotice } from '#shared/files/third-party-notice.ts';
import { writeDocsSite } from '#shared/openapi/docs-site.ts';
import { bundleOptions } from '../functions/bundle-function.ts';
import { functionFiles, projectDirectory } from '../functions/function-files.ts';
import { buildDashboard } from '../operators/build-dashboard.ts';

/** The folder of the package, which also contains its manifest, README and licence. */
export const constructsFolder = join(projectDirectory, 'lib/package');
/** The files of the package that are not made. */
const keptFiles = ['package.json', 'README.md', 'LICENSE'];

/**
 * Builds the package of the constructs in a folder: the constructs for ES modules and for CommonJS, with types for both, and what they
 * deploy: the functions as bundles, the dashboard and the documentation. Default: the dashboard of this project.
 */
export async function buildConstructs(folder: string = constructsFolder, builtDashboard?: string): Promise<void> {
  for (const made of globSync(['dist', 'functions', 'site', '*.tgz'], { cwd: folder })) {
    rmSync(join(folder, made), { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  if (folder !== constructsFolder)
    for (const name of keptFiles) cpSync(join(constructsFolder, name), join(folder, name));
  const [functions, esm, cjs] = await Promise.all([
    bundleFunctions(folder),
    bundleConstructs(folder, 'esm'),
    bundleConstructs(folder, 'cjs'),
    copyDashboard(folder, builtDashboard),
  ]);
  writeDocsSite(join(folder, 'site/docs'));
  declare(folder);
  const inputs = [functions, esm, cjs].flatMap((metafile) => Object.keys(metafile.inputs));
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), thirdPartyNotice(projectDirectory, inputs));
}

async function bundleFunctions(folder: string): Promise<Metafile> {
  const names = [...functionFiles.keys()];
  const { metafile } = await build({ ...bundleOptions(names), outdir: join(folder, 'functions'), metafile: true });
  for (const name of names) {
    // Otherwise Node takes index.js for an ES module, as the package's manifest says.
    writeFileSync(join(folder, 'functions', name, 'package.json'), '{"type":"commonjs"}\n');
  }
  return metafile;
}

/** The modules that find files in this project, and what finds them in the package. */
const replacements: Readonly<Record<string, string>> = {
  'bundle-function.ts': 'packaged-functions.ts',
  'dashboard-folder.ts': 'packaged-site.ts',
  'documentation-folder.ts': 'packaged-site.ts',
};

/** Of this project's manifest, the package shows the version alone. */
const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));

const replaceModules: Plugin = {
  name: 'replace-modules',
  setup: ({ onLoad, onResolve }) => {
    const names = Object.keys(replacements).map((name) => name.replace('.', '[.]'));
    onResolve({ filter: new RegExp(`/(?:${names.join('|')})$`) }, ({ path }) => ({
      path: join(import.meta.dirname, replacements[basename(path)] ?? ''),
    }));
    onLoad({ filter: new RegExp(`^${projectDirectory}/package[.]json$`) }, () => ({
      contents: JSON.stringify({ version }),
      loader: 'json',
    }));
  },
};

/** Not minified, so that it can be read and debugged. */
async function bundleConstructs(folder: string, format: 'esm' | 'cjs'): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectDirectory,
    entryPoints: [{ in: 'lib/constructs.ts', out: 'constructs' }],
    outdir: join(folder, 'dist'),
    outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' },
    bundle: true,
    format,
    minifySyntax: true,
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    external: ['aws-cdk-lib', 'constructs'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [replaceModules],
    ...(format === 'cjs' && { define: { 'import.meta.dirname': '__dirname' } }),
  });
  return metafile;
}

async function copyDashboard(folder: string, given: string | undefined): Promise<void> {
  const warn = (reason: string) => {
    throw new Error(`The dashboard could not be built: ${reason}`);
  };
  const built = given ?? (await buildDashboard({ warn }));
  if (built === undefined) throw new Error('There is no dashboard to pack');
  cpSync(built, join(folder, 'site/dashboard'), { recursive: true });
}

/** The declarations of the entry point and of what it imports, which name nothing but the CDK and each other. */
function declare(folder: string): void {
  const types = mkdtempSync(join(tmpdir(), 'auth-service-constructs-'));
  try {
    const options = [
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmit',
      'false',
      '--rootDir',
      '.',
      '--outDir',
      types,
    ];
    execFileSync(join(projectDirectory, 'node_modules/.bin/tsc'), ['-p', 'lib/build', ...options], {
      cwd: projectDirectory,
      stdio: 'inherit',
    });
    copyDeclarations(join(types, 'lib'), join(folder, 'dist'), ['constructs']);
  } finally {
    rmSync(types, { recursive: true });
  }
}
