import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');

/** Who may import whom; a layer may always import itself. What is not listed may import nothing of ours. */
const allowed: Record<string, readonly string[]> = {
  bin: ['lib'],
  lib: ['shared/contract', 'shared/signature', 'shared/keys'],
  functions: ['shared/http', 'shared/domain', 'shared/contract'],
  local: ['lib', 'shared/domain', 'shared/table', 'shared/contract', 'shared/signature'],
  bench: [
    'lib',
    'local',
    'shared/domain',
    'shared/table',
    'shared/core',
    'shared/keys',
    'shared/contract',
    'shared/signature',
  ],
  cli: ['shared/contract', 'shared/signature'],
  'client/build': [],
  client: ['shared/signature', 'shared/contract'],
  dashboard: ['shared/contract'],
  examples: [],
  'shared/http': ['shared/domain', 'shared/core', 'shared/contract', 'shared/signature', 'shared/keys'],
  'shared/domain': [
    'shared/table',
    'shared/events',
    'shared/core',
    'shared/contract',
    'shared/signature',
    'shared/keys',
  ],
  'shared/table': ['shared/core', 'shared/contract'],
  'shared/events': ['shared/core', 'shared/contract'],
  'shared/keys': ['shared/core', 'shared/contract', 'shared/signature'],
  'shared/core': ['shared/contract'],
  'shared/contract': [],
  'shared/signature': [],
};

/** The only packages that a layer may use; a layer that is not listed may use any. */
const allowedPackages: Record<string, readonly string[]> = {
  // What the service is held to cannot come from its own signer.
  examples: ['http-message-sig', 'node:crypto', 'node:fs', 'node:path'],
  // Its own name is in the examples of its documentation.
  client: ['auth-service/client'],
  'shared/signature': ['node:crypto'],
  'shared/contract': ['valibot', 'node:net'],
  'shared/domain': [],
  'shared/http': [
    '@middy/core',
    '@middy/http-json-body-parser',
    '@middy/http-router',
    'valibot',
    'aws-lambda',
    'node:buffer',
    'node:net',
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = Object.keys(allowed).flatMap(sourceFiles);
const imports = files.flatMap(importsOf);

describe('the architecture', () => {
  test('has files in every layer', () => {
    expect(new Set(files.map(layerOf))).toEqual(new Set(Object.keys(allowed)));
  });

  test('imports point one way', () => {
    const wrong = imports.filter(({ from, to }) => isOurs(to) && !mayImport(layerOf(from), layerOf(to)));
    expect(wrong).toEqual([]);
  });

  test('has no cycles', () => {
    expect(findCycle()).toBeUndefined();
  });

  test('folders are crossed by #shared, neighbours are named by ./', () => {
    const wrong = files
      .flatMap((file) => specifiersOf(file).map((specifier) => ({ file, specifier })))
      .filter(isMisnamed);
    expect(wrong).toEqual([]);
  });

  test('signature, contract, domain and http use only the packages that are theirs', () => {
    const wrong = imports.filter(
      ({ from, to }) => !isOurs(to) && !(allowedPackages[layerOf(from)]?.includes(to) ?? true),
    );
    expect(wrong).toEqual([]);
  });

  test('only core/environment reads the environment, only core/clock the time, only table/client names SDK errors', () => {
    const production = files.filter((file) => file.startsWith('shared/') || file.startsWith('functions/'));
    const using = (pattern: RegExp) =>
      production.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
    expect(using(/process\.env/)).toEqual(['shared/core/environment.ts']);
    expect(using(/new Date\(\)|Date\.now\(/)).toEqual(['shared/core/clock.ts']);
    expect(using(/error\.name\b|Exception\b/)).toEqual(['shared/table/client.ts']);
  });

  test('an endpoint is at most 30 lines', () => {
    for (const file of files.filter((name) => name.startsWith('functions/'))) {
      expect([file, readFileSync(join(root, file), 'utf8').split('\n').length <= 31]).toEqual([file, true]);
    }
  });
});

function sourceFiles(layer: string): string[] {
  return readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('dist/'))
    .map((name) => `${layer}/${name}`);
}

function layerOf(path: string): string {
  return Object.keys(allowed).find((layer) => path.startsWith(`${layer}/`)) ?? path;
}

function mayImport(from: string, to: string): boolean {
  return from === to || (allowed[from] ?? []).includes(to);
}

function isOurs(path: string): boolean {
  return /^(?:bench|bin|cli|client|dashboard|examples|lib|functions|shared|local)\//.test(path);
}

function specifiersOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const matches = source.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gms);
  return [...matches].map(([, named, dynamic]) => named ?? dynamic ?? '');
}

function importsOf(file: string): Import[] {
  return specifiersOf(file).map((specifier) => ({ from: file, to: resolve(file, specifier) }));
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, join(root, dirname(file), specifier));
}

/** `lib` and `bin` are each other's neighbours at the top; within `shared`, another folder is `#shared/…`. */
function isMisnamed({ file, specifier }: { file: string; specifier: string }): boolean {
  const target = resolve(file, specifier);
  if (!isOurs(target)) return false;
  const sameLayer = layerOf(target) === layerOf(file);
  if (sameLayer) return !specifier.startsWith('.');
  return target.startsWith('shared/') && !specifier.startsWith('#shared/');
}

function findCycle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    const next = imports.filter(({ from }) => from === file).map(({ to }) => to);
    for (const to of next) {
      const cycle = visit(to, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
