import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { goReference } from './go-reference.ts';
import { javaReference } from './java-reference.ts';
import { pythonReference } from './python-reference.ts';
import { project } from './run-program.ts';
import { typescriptReference } from './typescript-reference.ts';

const makers: Readonly<Record<string, (target: string) => Promise<void>>> = {
  typescript: typescriptReference,
  python: pythonReference,
  go: goReference,
  java: javaReference,
};

const help = `npm run -s docs:reference -- [language...] [--to <folder>]

Writes the API reference of the SDKs, made of their types and comments, to a folder for each language. Each needs its own tools, and
says which if they are missing. Without a language it makes all of them: ${Object.keys(makers).join(', ')}.

  --to <folder>  default: .local/reference
  --help         this text
`;

const { values, positionals } = parseArgs({
  options: { to: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(makers, name));
if (values.help || unknown.length > 0) {
  process.stderr.write(unknown.map((name) => `There is no reference for ${name}.\n\n`).join(''));
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  const folder = resolve(values.to ?? join(project, '.local/reference'));
  for (const name of positionals.length > 0 ? positionals : Object.keys(makers)) await make(name, join(folder, name));
}

/** Makes the reference of one language; after a failure the others are still made. */
async function make(name: string, target: string): Promise<void> {
  const startedAt = Date.now();
  process.stderr.write(`${name} ... `);
  try {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    await makers[name]?.(target);
    process.stderr.write(`${relative(process.cwd(), target)} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    process.stderr.write(`FAILED: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
