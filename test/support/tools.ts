import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

interface Tool {
  /** Searched in `PATH`, unless they are paths; these may also be folders. */
  readonly programs: readonly string[];
  /** The Debian packages that contain them. */
  readonly packages: readonly string[];
}

/** What the SDK for Python and its tests import: in Debian a folder each, and a package of the same name. */
const pythonModules = [
  'anyio',
  'cryptography',
  'django',
  'fastapi',
  'flask',
  'httpx',
  'pytest',
  'setuptools',
  'starlette',
] as const;

/** Tools that some tests run and `npm ci` does not install, by the names shown at the end of a run. */
const tools = {
  // Mono's compiler: Debian has no .NET package.
  'C#': { programs: ['mcs', 'mono'], packages: ['mono-mcs', 'libmono-system-net-http4.0-cil'] },
  Caddy: { programs: ['caddy'], packages: ['caddy'] },
  curl: { programs: ['curl'], packages: ['curl', 'ca-certificates'] },
  fish: { programs: ['fish'], packages: ['fish'] },
  gcc: { programs: ['gcc'], packages: ['gcc', 'libc6-dev'] },
  Go: { programs: ['go'], packages: ['golang-go'] },
  Java: { programs: ['javac', 'java'], packages: ['default-jdk-headless'] },
  nginx: { programs: ['nginx'], packages: ['nginx-light'] },
  'Node.js 20': { programs: [olderNode(20)], packages: [] },
  'Node.js 22': { programs: [olderNode(22)], packages: [] },
  OpenSSL: { programs: ['openssl'], packages: ['openssl'] },
  PHP: { programs: ['php'], packages: ['php-cli'] },
  Python: { programs: ['python3'], packages: ['python3'] },
  'Python packages': {
    programs: [
      'mypy',
      'pyflakes3',
      'pyproject-build',
      '/usr/bin/python3',
      '/usr/share/python-wheels',
      ...pythonModules.map((name) => `/usr/lib/python3/dist-packages/${name}`),
    ],
    packages: [
      'mypy',
      'pyflakes3',
      'python3-build',
      'python3-venv',
      'python3-wheel',
      ...pythonModules.map((name) => `python3-${name}`),
    ],
  },
  Ruby: { programs: ['ruby'], packages: ['ruby'] },
  zsh: { programs: ['zsh'], packages: ['zsh'] },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/** The versions of Node.js on which the packages of the SDK and the command line run. */
export const nodeVersions: readonly { readonly version: number; readonly node: string; readonly tools: ToolName[] }[] =
  [
    { version: 20, node: olderNode(20), tools: ['Node.js 20'] },
    { version: 22, node: olderNode(22), tools: ['Node.js 22'] },
    { version: 24, node: process.execPath, tools: [] },
  ];

/** Returns the tools with a missing program, in the order of their names. */
export function missingTools(): ToolName[] {
  const names = Object.keys(tools) as ToolName[];
  return names.filter((name) => !tools[name].programs.every(isExecutable));
}

/** Where `npm ci --prefix .ci/nodes` installs it. */
function olderNode(version: number): string {
  return join(import.meta.dirname, `../../.ci/nodes/node_modules/node-${version}/bin/node`);
}

function isExecutable(program: string): boolean {
  const folders = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(resolve(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

// `npm run -s test:packages`: what to install for the skipped tests.
if (process.argv[1] === import.meta.filename) {
  console.log(
    missingTools()
      .flatMap((name) => tools[name].packages)
      .join(' '),
  );
}
