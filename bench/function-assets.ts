import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { synthesize } from '../local/synthesize.ts';

/** Functions by the name of their file in `functions/`. */
export interface FunctionAssets {
  /** All of them, in the order of the template. */
  readonly names: readonly string[];
  /** The file with the handler, in the folder that a deployment uploads as it is. */
  fileOf(name: string): string;
}

const functionSchema = v.object({
  Type: v.literal('AWS::Lambda::Function'),
  Properties: v.object({
    Description: v.pipe(v.string(), v.startsWith('auth-service: ')),
    Architectures: v.tuple([v.literal('arm64')]),
    Runtime: v.literal('nodejs24.x'),
    Code: v.object({ S3Key: v.string() }),
  }),
});
const templateSchema = v.object({ Resources: v.record(v.string(), v.unknown()) });

/**
 * The assets of the stack as synthesized on this machine, for functions on arm64. A deployment from here uploads the same
 * files: one source file each, with nothing built for a processor, so they are the same on every machine.
 */
export async function synthesizeAssets(directory: string): Promise<FunctionAssets> {
  const assembly = await synthesize({ folder: join(directory, 'cdk.out') });
  return assetsIn(assembly);
}

/** The assets of an assembly. */
export function assetsIn(assembly: string): FunctionAssets {
  const template = readdirSync(assembly).find((name) => /^AuthService.*\.template\.json$/.test(name)) ?? '';
  const { Resources } = v.parse(templateSchema, JSON.parse(readFileSync(join(assembly, template), 'utf8')));
  const functions = Object.values(Resources).flatMap((resource) => {
    const parsed = v.safeParse(functionSchema, resource);
    return parsed.success ? [parsed.output.Properties] : [];
  });
  const folders = new Map(
    functions.map(({ Description, Code }) => [
      Description.replace('auth-service: ', ''),
      join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`),
    ]),
  );
  return { names: [...folders.keys()], fileOf: (name) => join(requirePlain(folders.get(name), name), 'index.js') };
}

/** Any other file may have been built for this machine's processor, so measuring it here would say nothing about Lambda. */
function requirePlain(folder: string | undefined, name: string): string {
  if (folder === undefined) throw new Error(`The stack has no function ${name} on arm64 with Node 24`);
  const files = readdirSync(folder).toSorted().join(', ');
  if (files === 'index.js, package.json') return folder;
  throw new Error(`The asset of ${name} has more than its source: ${files}`);
}
