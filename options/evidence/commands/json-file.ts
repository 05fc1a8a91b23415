import { notSent } from '#cli/terminal/cli-error.ts';
import { readText } from '#cli/terminal/read-input.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';

/** A JSON value in a file. */
export interface Parsed {
  readonly value: unknown;
  /** The position in the file, for messages. */
  readonly where: string;
}

/** Reads JSON or JSON Lines from a file, or from standard input for `-`. */
export async function readJsonFile(file: string, terminal: Terminal): Promise<Parsed[]> {
  return parseJson(await readText(file, terminal), nameOf(file));
}

/** A file in messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Reads JSON or JSON Lines. */
export function parseJson(content: string, source: string): Parsed[] {
  const body = content.replace(/^\ufeff/, '');
  const whole = tryParse(body);
  if (whole !== undefined) return [{ value: whole, where: source }];
  return body.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `line ${index + 1} of ${source}`;
    const value = tryParse(line);
    if (value === undefined) throw notSent(`${capitalize(where)} is not JSON.`);
    return [{ value, where }];
  });
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A position as the beginning of a sentence. */
export function capitalize(where: string): string {
  return where.charAt(0).toUpperCase() + where.slice(1);
}
