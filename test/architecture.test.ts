import { basename, dirname, parse } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readClientPackage } from '../client/build/client-package.ts';
import { isForBrowsers, sourceFiles, sourceFolders } from './support/source-files.ts';
import { findCycle, type Import, importsOf, isOurs } from './support/source-imports.ts';

/** The rooms that each room imports besides itself: exactly these. */
const edges: Record<string, readonly string[]> = {
  bin: [
    'cli/build',
    'client/build',
    'lib',
    'lib/bootstrap',
    'lib/data',
    'lib/monitoring',
    'lib/operators',
    'lib/releases',
    'lib/settings',
    'shared/files',
    'shared/openapi',
  ],
  lib: [
    'client',
    'lib/api',
    'lib/bootstrap',
    'lib/data',
    'lib/functions',
    'lib/monitoring',
    'lib/operators',
    'lib/releases',
    'lib/settings',
    'options',
    'shared/calls',
    'shared/contract',
    'shared/core',
    'shared/files',
    'shared/openapi',
  ],
  'lib/bootstrap': ['lib/settings'],
  'lib/monitoring': [
    'lib/api',
    'lib/bootstrap',
    'lib/data',
    'lib/functions',
    'lib/options',
    'lib/settings',
    'shared/contract',
  ],
  'lib/releases': ['lib/functions', 'lib/settings'],
  'lib/api': ['lib/data', 'lib/functions', 'lib/options', 'lib/settings', 'shared/contract', 'shared/core'],
  'lib/data': ['lib/functions', 'lib/options', 'lib/settings', 'options', 'shared/contract'],
  'lib/operators': ['lib/functions', 'lib/options', 'lib/settings', 'shared/contract', 'shared/openapi'],
  'lib/functions': ['lib/settings', 'shared/contract'],
  'lib/options': ['options', 'shared/contract'],
  'lib/settings': ['lib/options', 'shared/contract', 'shared/core'],
  local: [
    'client',
    'lib/bootstrap',
    'lib/operators',
    'lib/options',
    'local/memory',
    'options',
    'shared/contract',
    'shared/files',
    'shared/openapi',
    'shared/signature',
  ],
  'local/memory': [],
  // A backlog has changes as the service writes them.
  bench: [
    'client',
    'lib/options',
    'local',
    'options',
    'shared/calls',
    'shared/contract',
    'shared/core',
    'shared/integrity',
    'shared/keys',
    'shared/openapi',
    'shared/table/items',
  ],
  'cli/build': ['cli', 'cli/service', 'cli/terminal', 'shared/files'],
  'client/build': ['shared/contract', 'shared/files'],
  client: ['client/verify', 'shared/contract', 'shared/signature'],
  // A program of Node beside the SDK, which it does not load.
  'client/conformance': ['client'],
  'client/verify': ['shared/contract', 'shared/integrity'],
  // The test double of applications: the service itself, over the table in memory.
  'client/testing/service': [
    'client',
    'functions',
    'local',
    'local/memory',
    'shared/contract',
    'shared/core',
    'shared/domain/access',
    'shared/domain/api-key',
    'shared/domain/application',
    'shared/domain/history',
    'shared/domain/request',
    'shared/domain/role',
    'shared/domain/user',
    'shared/http',
    'shared/keys',
    'shared/signature',
    'shared/table',
    'shared/table/keys',
  ],
  smoke: ['cli/service', 'cli/terminal', 'client', 'lib/options', 'options', 'shared/calls', 'shared/contract'],
  'smoke/prove': [
    'cli/service',
    'client',
    'lib',
    'lib/releases',
    'lib/settings',
    'shared/calls',
    'shared/contract',
    'shared/files',
    'smoke',
  ],
  cli: ['cli/commands', 'cli/service', 'cli/terminal', 'options'],
  'cli/commands': [
    'cli/bulk',
    'cli/history',
    'cli/keys',
    'cli/service',
    'cli/terminal',
    'client',
    'options',
    'shared/contract',
  ],
  'cli/keys': [
    'cli/bulk',
    'cli/service',
    'cli/terminal',
    'client',
    'shared/contract',
    'shared/files',
    'shared/integrity',
  ],
  'cli/bulk': ['cli/service', 'cli/terminal', 'client', 'shared/contract', 'shared/csv', 'shared/files'],
  'cli/history': ['cli/service', 'cli/terminal', 'client', 'options', 'shared/contract', 'shared/csv', 'shared/files'],
  'cli/service': ['cli/terminal', 'client', 'shared/contract', 'shared/files'],
  'cli/terminal': ['shared/contract'],
  dashboard: ['client', 'options', 'shared/contract', 'shared/csv', 'shared/files'],
  examples: [],
  'examples/cognito': [],
  'examples/login-authjs': ['examples/login-next'],
  'examples/login-express': [],
  'examples/login-next': [],
  'examples/login-server': [],
  // The SDK is run, and its parts that decide, to write what other SDKs are compared with.
  'sdk/reference': ['client/build', 'shared/contract'],
  'sdk/conformance': ['client', 'client/verify', 'shared/contract', 'shared/integrity'],
  functions: [
    'lib/releases',
    'options',
    'shared/contract',
    'shared/domain/access',
    'shared/domain/history',
    'shared/domain/role',
    'shared/http',
    'shared/http/management',
    'shared/http/service',
  ],
  'shared/http/service': [
    'shared/contract',
    'shared/core',
    'shared/domain/request',
    'shared/http',
    'shared/http/middleware',
    'shared/keys',
    'shared/signature',
  ],
  'shared/http/management': [
    'options',
    'shared/contract',
    'shared/core',
    'shared/domain/access',
    'shared/domain/api-key',
    'shared/domain/application',
    'shared/domain/history',
    'shared/domain/request',
    'shared/domain/role',
    'shared/domain/user',
    'shared/http',
    'shared/http/middleware',
  ],
  'shared/http/middleware': ['shared/contract', 'shared/core', 'shared/http'],
  'shared/http': ['shared/contract', 'shared/core', 'shared/signature'],
  'shared/calls': ['shared/contract', 'shared/core', 'shared/signature'],
  'shared/domain/role': [
    'shared/contract',
    'shared/core',
    'shared/domain/access',
    'shared/domain/request',
    'shared/integrity',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/access': [
    'shared/contract',
    'shared/core',
    'shared/domain/application',
    'shared/domain/request',
    'shared/integrity',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/history': [
    'options',
    'shared/contract',
    'shared/core',
    'shared/domain/access',
    'shared/domain/application',
    'shared/domain/request',
    'shared/domain/role',
    'shared/domain/user',
    'shared/events',
    'shared/integrity',
    'shared/keys',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/api-key': [
    'shared/contract',
    'shared/core',
    'shared/domain/application',
    'shared/domain/request',
    'shared/keys',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/application': [
    'options',
    'shared/contract',
    'shared/core',
    'shared/domain/request',
    'shared/integrity',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/user': [
    'shared/contract',
    'shared/core',
    'shared/domain/access',
    'shared/domain/request',
    'shared/integrity',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/domain/request': [
    'options',
    'shared/contract',
    'shared/core',
    'shared/integrity',
    'shared/keys',
    'shared/table',
    'shared/table/items',
    'shared/table/keys',
    'shared/table/queries',
  ],
  'shared/table/items': ['shared/contract', 'shared/core', 'shared/table', 'shared/table/keys'],
  'shared/table/queries': ['shared/contract', 'shared/core', 'shared/table', 'shared/table/items', 'shared/table/keys'],
  'shared/table/keys': ['shared/contract', 'shared/core', 'shared/table'],
  'shared/table': ['shared/contract', 'shared/core'],
  'shared/openapi': ['options', 'shared/contract', 'shared/signature'],
  'shared/csv': ['shared/contract'],
  'shared/files': [],
  'shared/events': ['shared/core'],
  'shared/integrity': ['shared/contract'],
  'shared/keys': ['shared/contract', 'shared/core', 'shared/integrity', 'shared/signature'],
  'shared/core': ['shared/contract'],
  'shared/contract': ['options'],
  'shared/signature': [],
};

/** What every option may import besides `shared`: what its commands, its part of the stack and of the local run, its pages and its probes are made of. */
const openToOptions = [
  'cli/bulk',
  'cli/commands',
  'cli/history',
  'cli/keys',
  'cli/service',
  'cli/terminal',
  'client',
  'dashboard',
  'lib',
  'lib/api',
  'lib/data',
  'lib/functions',
  'lib/monitoring',
  'lib/options',
  'lib/settings',
  'local',
  'options',
  'smoke',
];

/** The other options that an option uses. */
const usedOptions: Readonly<Record<string, readonly string[]>> = {
  authzen: ['connections'],
  directories: ['connections'],
  'login-hooks': ['connections'],
  reviews: ['bulk'],
};

function usedBy(option: string): readonly string[] {
  return (usedOptions[basename(option)] ?? []).map((name) => `options/${name}`);
}

/** The rooms, the longest name first: a file is in the innermost of them. */
const rooms = [...Object.keys(edges), 'options'].toSorted((one, other) => other.length - one.length);
const none: readonly string[] = [];

/** The only packages that a room may use; a room that is not listed may use any. */
const allowedPackages: Record<string, readonly string[]> = {
  // The examples check the service, so they cannot use its own signer.
  examples: ['http-message-sig', 'node:crypto', 'node:fs', 'node:path'],
  'examples/cognito': [
    ...clientEntries('', '/cognito'),
    'aws-cdk-lib',
    'aws-cdk-lib/aws-cognito',
    'aws-cdk-lib/aws-lambda',
    'aws-cdk-lib/aws-lambda-nodejs',
    'aws-cdk-lib/aws-secretsmanager',
    'constructs',
    '@aws-sdk/client-secrets-manager',
  ],
  'examples/login-authjs': ['@auth/core', '@hono/node-server', 'hono', 'hono/html'],
  'examples/login-express': ['express', 'node:crypto', 'openid-client'],
  'examples/login-next': ['@auth/core', '@auth/core/jwt', 'jose', 'next', 'next-auth', 'next/server', 'react'],
  'examples/login-server': [
    ...clientEntries(''),
    'oidc-provider',
    'node:crypto',
    'node:fs',
    'node:http',
    'node:stream/consumers',
  ],
  // The examples in its comments import it by its name.
  client: [
    ...clientEntries('', '/management', '/replica'),
    // The signer and the default chain of credentials, which the Management client loads on demand.
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-node',
    '@smithy/core/checksum',
    '@smithy/core/config',
    '@smithy/signature-v4',
  ],
  'shared/signature': ['node:crypto'],
  'shared/contract': ['valibot'],
  'shared/integrity': ['node:crypto', 'valibot'],
  'shared/domain/access': none,
  'shared/domain/role': none,
  'shared/domain/history': none,
  'shared/domain/api-key': none,
  'shared/domain/application': none,
  'shared/domain/user': none,
  'shared/domain/request': none,
  'shared/csv': ['papaparse'],
  'shared/files': ['node:child_process', 'node:crypto', 'node:fs', 'node:path'],
  'shared/http': ['valibot', 'aws-lambda'],
  'shared/http/middleware': ['@middy/core', '@middy/http-json-body-parser', 'aws-lambda', 'node:buffer', 'node:net'],
  'shared/http/service': ['@middy/core'],
  'options/authzen': ['jose', 'valibot'],
  'options/login-hooks': ['valibot'],
  'shared/http/management': ['@middy/core', '@middy/http-router'],
};

function clientEntries(...entries: readonly string[]): string[] {
  return entries.map((entry) => readClientPackage().name + entry);
}

const files = sourceFolders.flatMap(sourceFiles);
const imports = files.flatMap(importsOf);

describe('the architecture', () => {
  test('each room imports exactly the rooms that are listed for it', () => {
    const found = Map.groupBy(
      imports.filter(({ to }) => isOurs(to)),
      ({ from }) => roomOf(from),
    );
    const actual = Object.keys(edges).map((room) => {
      const targets = (found.get(room) ?? []).map(({ to }) => roomOf(to)).filter((target) => target !== room);
      return [room, [...new Set(targets)].sort()];
    });
    expect(Object.fromEntries(actual)).toEqual(edges);
  });

  test('an option imports the core, and another option only where that is named; nothing but a register imports it', () => {
    const crossing = imports.filter(({ from, to }) => isOurs(to) && roomOf(from) !== roomOf(to));
    const isAllowed = (from: string, to: string) =>
      to.startsWith('shared/') || openToOptions.includes(to) || usedBy(from).includes(to);
    const ofOptions = crossing.filter(({ from }) => isOption(roomOf(from)));
    expect(ofOptions.filter(({ from, to }) => !isAllowed(roomOf(from), roomOf(to)))).toEqual([]);
    const ofOthers = crossing.filter(({ from, to }) => !isOption(roomOf(from)) && isOption(roomOf(to)));
    expect(ofOthers.filter(({ from }) => dirname(from) !== 'options')).toEqual([]);
  });

  test('what runs in a browser imports no module of Node.js, and nothing else imports it', () => {
    const ofBrowsers = imports.filter(({ from }) => isForBrowsers(from));
    expect(ofBrowsers.length).toBeGreaterThan(500);
    // A sample is a text, which an operator copies.
    const ofNode = ofBrowsers.filter(({ from, to }) => to.startsWith('node:') && !/-sample\.ts$/.test(from));
    expect(ofNode).toEqual([]);
    expect(imports.filter(({ from, to }) => isForBrowsers(to) && !isForBrowsers(from))).toEqual([]);
  });

  test('every source file is in a room', () => {
    expect(files.filter((file) => !rooms.includes(roomOf(file)) && !isOption(roomOf(file)))).toEqual([]);
  });

  test('no two rooms import each other, not even by way of others', () => {
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (edges[from] ?? []).some((next) => {
        if (next === to) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, to, seen);
      });
    expect(rooms.filter((room) => reaches(room, room))).toEqual([]);
  });

  test('no file name occurs twice, not even with another extension', () => {
    // Next.js finds pages by their folders, and all their files have these names.
    const named = files.filter((file) => !/^examples\/login-next\/app\/.+\/(?:page|route)\.tsx?$/.test(file));
    const names = Map.groupBy(named, (file) => parse(file).name);
    expect([...names.values()].filter((alike) => alike.length > 1)).toEqual([]);
  });

  test('no imports between files form a cycle', () => {
    expect(findCycle(files, imports)).toBeUndefined();
  });

  test('folders are crossed by #shared and #options, neighbours are named by ./', () => {
    expect(imports.filter(isMisnamed)).toEqual([]);
  });

  test('signature, contract, domain and http use only the packages that are theirs', () => {
    const wrong = imports.filter(
      ({ from, to }) => !isOurs(to) && !(allowedPackages[roomOf(from)]?.includes(to) ?? true),
    );
    expect(wrong).toEqual([]);
  });

  test('only OpenAPI, the stack and what tries every operation import the documents of the contract', () => {
    const areDocuments = (file: string) =>
      /^shared\/contract\/(?:.+-)?(?:documents|descriptions|examples)\.ts$/.test(file);
    const importing = imports.filter(({ from, to }) => areDocuments(to) && !areDocuments(from));
    const rooms = new Set(importing.map(({ from }) => roomOf(from)));
    expect([...rooms].filter((room) => !isOption(room)).sort()).toEqual([
      'client/build',
      'lib/api',
      'lib/monitoring',
      'shared/openapi',
      'smoke',
    ]);
  });
});

/** Registers are the room `options`, each option one of its own. */
function roomOf(path: string): string {
  const [top, name = '', ...inside] = path.split('/');
  if (top === 'options') return inside.length === 0 ? top : `${top}/${name}`;
  return rooms.find((room) => path.startsWith(`${room}/`)) ?? path;
}

function isOption(room: string): boolean {
  return room.startsWith('options/');
}

/**
 * Inside a folder of `shared` or an option files are named by a relative path; both are named by `#…` from outside, and name the
 * outside so.
 */
function isMisnamed({ from, to, specifier }: Import): boolean {
  if (!isOurs(to)) return false;
  const isParted = (path: string) => /^(?:options|shared)\//.test(path);
  const folderOf = (path: string) =>
    path
      .split('/')
      .slice(0, isParted(path) ? 2 : 1)
      .join('/');
  // The registers name the options as neighbours.
  const areNeighbours = dirname(from) === 'options' && to.startsWith('options/');
  if (folderOf(to) === folderOf(from) || areNeighbours) return !specifier.startsWith('.');
  return (isParted(to) || from.startsWith('options/')) && !specifier.startsWith('#');
}
