import { recordOf } from '#shared/contract/change.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { notSent } from '../terminal/cli-error.ts';
import { readText } from '../terminal/read-input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The Changes in an export, from a file or from standard input for `-`: JSON or JSON Lines of Changes, of pages, or of events
 * of the bus, whose `detail` is the Change. Duplicates are removed.
 */
export async function readExportedChanges(file: string, terminal: Terminal): Promise<readonly ExportedChange[]> {
  const entries = parse(await readText(file, terminal), file === '-' ? 'standard input' : file);
  const changes = entries.flatMap(({ value, where }) => changesIn(value, where));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

interface Parsed {
  readonly value: unknown;
  /** The position in the file, for messages. */
  readonly where: string;
}

function parse(content: string, source: string): Parsed[] {
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

function changesIn(value: unknown, where: string): ExportedChange[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => changesIn(each, `item ${index + 1} of ${where}`));
  if (isObject(value) && Array.isArray(value.items)) return changesIn(value.items, where);
  const change = isObject(value) && isObject(value.detail) ? value.detail : value;
  if (isObject(change) && isChange(change)) return [recordOf(change)];
  throw notSent(`${capitalize(where)} is not a change. Pass the whole, unmodified export.`);
}

function isChange(value: object): value is ExportedChange {
  const { id, action, integrity } = value as Readonly<Record<string, unknown>>;
  const isLinked = isObject(integrity) && typeof integrity.mac === 'string' && typeof integrity.root === 'string';
  return typeof id === 'string' && typeof action === 'string' && (integrity === undefined || isLinked);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
