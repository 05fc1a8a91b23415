import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { notSent } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** Reads the bytes of a file, or of standard input for `-`. */
export async function readInput(file: string, { stdin, cwd }: Pick<Terminal, 'stdin' | 'cwd'>): Promise<Uint8Array> {
  if (file === '-') return buffer(stdin);
  try {
    return await readFile(resolve(cwd(), file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw notSent(code === 'ENOENT' ? `There is no file ${file}.` : `Cannot read ${file}: ${message}`);
  }
}

/** Reads a file, or standard input for `-`, as text. */
export async function readText(file: string, terminal: Pick<Terminal, 'stdin' | 'cwd'>): Promise<string> {
  return Buffer.from(await readInput(file, terminal)).toString('utf8');
}

/** Reads the object in a JSON file; no error message contains its content, which may be secret. */
export async function readJsonObject(file: string, terminal: Terminal): Promise<Readonly<Record<string, unknown>>> {
  const parsed = parse(await readText(file, terminal));
  if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  throw notSent(`${file} is not a JSON object.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
