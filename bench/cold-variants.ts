import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions } from '../lib/bundle-options.ts';
import { makeCodeCache } from '../lib/make-code-cache.ts';
import type { Starter } from './cold-start.ts';

const project = join(import.meta.dirname, '..');

/** `get-access` as it would be with another build, or without a part of it. */
export interface Variant {
  readonly label: string;
  /** What differs from the build that is deployed. */
  readonly options?: BuildOptions;
  /** Modules that are replaced by another text, by the end of their path. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Our own modules that are changed, by their path. */
  readonly changed?: Readonly<Record<string, readonly [from: RegExp, to: string]>>;
  /** Default: one that V8 takes. */
  readonly codeCache?: 'none' | 'refused';
  /** As ES modules that load others when they are needed, which no code cache can be made of. */
  readonly chunks?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

const credentialChain = { alias: {} };
const untrimmed = { plugins: [] };

/** From the bundler's defaults to what is deployed, each with one thing more. */
export const steps: readonly Variant[] = [
  {
    label: "esbuild's defaults",
    options: { mainFields: ['main'], ...credentialChain, ...untrimmed },
    codeCache: 'none',
  },
  { label: '+ ES modules of the packages', options: { ...credentialChain, ...untrimmed }, codeCache: 'none' },
  { label: '+ credentials from the environment alone', options: { ...untrimmed }, codeCache: 'none' },
  { label: '+ trimmed SDK', codeCache: 'none' },
  { label: '+ code cache of a warmed request (deployed)' },
];

const silentLog = 'const silent = () => {}; export const log = { info: silent, warn: silent, error: silent };';
const localRoot = { ROOT_KEYS: `k1=local:${Buffer.alloc(32).toString('base64')}` };

/** Stands in for the names of valibot that the contract's schemas are made with. */
const schemaMakers =
  'array brand check email is maxLength maxValue minLength minValue nullable nullish object optional parseJson picklist pipe regex safeParse strictObject strictTuple string transform undefined unknown';
const noSchemas = `const nothing = () => ({}); export { ${schemaMakers
  .split(' ')
  .map((name) => `nothing as ${name}`)
  .join(', ')} };`;

/** What is deployed without one of its parts, which shows what the part costs. */
export const withouts: readonly Variant[] = [
  { label: 'as ES modules in chunks, without a code cache', chunks: true },
  { label: 'with a code cache that V8 refuses', codeCache: 'refused' },
  { label: 'without asking KMS', environment: localRoot },
  {
    label: "without KMS's client",
    replaced: {
      'client-kms/dist-es/index.js': `export class KMSClient { send = async () => ({ Mac: new Uint8Array(32) }); }
        export class GenerateMacCommand {}`,
    },
  },
  { label: 'KMS asked by the first request', changed: { 'shared/keys/root-keys.ts': [/^for \(const .*$/m, ''] } },
  { label: 'without the logger', replaced: { 'shared/core/log.ts': silentLog } },
  { label: 'without metrics', replaced: { 'shared/core/metrics.ts': 'export function publishMetrics() {}' } },
  {
    label: 'without validation',
    replaced: {
      'shared/http/validate-input.ts': `export const validateInput = () => ({ before: ({ event }) => {
        event.input = { userId: event.signed.userIdInPath, appId: event.signed.appId }; } });`,
      'shared/http/field-errors.ts': 'export const fieldErrors = undefined, invalidRequest = undefined;',
      'valibot/dist/index.mjs': noSchemas,
    },
  },
  {
    label: 'without Middy',
    replaced: {
      '@middy/core/index.js': `export default () => {
        const before = []; let handle;
        const run = async (event, context) => {
          const request = { event, context, internal: {} };
          for (const step of before) await step(request);
          return handle(event, context);
        };
        run.use = (middleware) => { if (middleware.before) before.push(middleware.before); return run; };
        run.handler = (handler) => { handle = handler; return run; };
        return run;
      };`,
    },
  },
];

/** Builds a variant and says how to start it. */
export async function buildVariant(variant: Variant, outDir: string): Promise<Starter> {
  const { label, options = {}, replaced = {}, changed = {}, codeCache, chunks = false, environment = {} } = variant;
  const directory = join(outDir, label.replaceAll(/\W+/g, '-'));
  const { plugins, ...deployed } = bundleOptions('get-access');
  const replacing = replaceModules({ ...replaced, ...(await changedSources(changed)) });
  const built = { ...deployed, plugins: [replacing, ...plugins], ...options };
  if (chunks) return { label, file: await buildChunks(built, directory), environment };
  await build({ ...built, outfile: join(directory, 'function.js') });
  await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}\n');
  await copyFile(join(project, 'lib/load-function.cjs'), join(directory, 'index.js'));
  if (codeCache !== 'none') await makeCodeCache('get-access', directory);
  if (codeCache === 'refused') await spoilCache(join(directory, 'function.cache'));
  return { label, file: join(directory, 'index.js'), environment };
}

async function buildChunks({ banner: _, footer: __, ...options }: BuildOptions, outdir: string): Promise<string> {
  await build({ ...options, format: 'esm', splitting: true, outdir, outExtension: { '.js': '.mjs' } });
  return join(outdir, 'get-access.mjs');
}

/** As if another version or build of V8 had made it. */
async function spoilCache(file: string): Promise<void> {
  const cache = await readFile(file);
  await writeFile(file, cache.fill(0, 0, 16));
}

function replaceModules(replaced: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replace-modules',
    setup: ({ onLoad }) => {
      for (const [end, contents] of Object.entries(replaced)) {
        onLoad({ filter: new RegExp(`${end.replaceAll('.', '\\.')}$`) }, () => ({ contents, loader: 'ts' }));
      }
    },
  };
}

async function changedSources(changed: NonNullable<Variant['changed']>): Promise<Record<string, string>> {
  const sources = Object.entries(changed).map(async ([path, [from, to]]) => {
    const text = await readFile(join(project, path), 'utf8');
    if (!from.test(text)) throw new Error(`There is nothing to change in ${path}`);
    return [path, text.replace(from, to)];
  });
  return Object.fromEntries(await Promise.all(sources));
}
