import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

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
 * The functions of an assembly by the name of their file in `functions/`, all of them in the order of the template, each with the
 * file of its handler. A deployment uploads the same files: for arm64, with nothing built for a processor.
 */
export function assetsIn(assembly: string) {
  const [template = ''] = globSync(join(assembly, 'AuthService*.template.json'));
  const { Resources } = v.parse(templateSchema, JSON.parse(readFileSync(template, 'utf8')));
  const functions = Object.values(Resources).filter((resource) => v.is(functionSchema, resource));
  const folders = new Map(
    functions.map(({ Properties: { Description, Code } }) => [
      Description.replace('auth-service: ', ''),
      join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`),
    ]),
  );
  return {
    names: [...folders.keys()],
    fileOf: (name: string) => join(requirePlain(folders.get(name), name), 'index.js'),
  };
}

/** Any other file may have been built for this machine's processor, so measuring it here would say nothing about Lambda. */
function requirePlain(folder: string | undefined, name: string): string {
  if (folder === undefined) throw new Error(`The stack has no function ${name} on arm64 with Node 24`);
  const files = readdirSync(folder).toSorted().join(', ');
  if (files === 'index.js, package.json') return folder;
  throw new Error(`The asset of ${name} has more than its source: ${files}`);
}
