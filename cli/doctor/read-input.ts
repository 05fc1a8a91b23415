import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { notSent } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

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

/** Reads the object of a JSON file; its content is in no error message, since it may be a secret. */
export async function readJsonObject(file: string, terminal: Terminal): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readInput(file, terminal);
  const parsed = parse(Buffer.from(bytes).toString('utf8'));
  if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  throw notSent(`${file} is no JSON object.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
