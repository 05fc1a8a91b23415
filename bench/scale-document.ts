import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scenarios, scenarioText } from './scale-text.ts';

const file = join(import.meta.dirname, '../docs/scale.md');
const marks = { begin: '<!-- simulation: begin -->', end: '<!-- simulation: end -->' } as const;

/** The part of `docs/scale.md` that the simulation writes. */
export function writtenScenarios(): string {
  const { begin, end } = bounds(readFileSync(file, 'utf8'));
  return readFileSync(file, 'utf8').slice(begin, end).trim();
}

/** Writes it anew. */
export function writeScenarios(scenarios: Scenarios): void {
  const text = readFileSync(file, 'utf8');
  const { begin, end } = bounds(text);
  writeFileSync(file, `${text.slice(0, begin)}\n\n${scenarioText(scenarios)}\n\n${text.slice(end)}`);
}

function bounds(text: string): { begin: number; end: number } {
  const [begin, end] = [text.indexOf(marks.begin) + marks.begin.length, text.indexOf(marks.end)];
  if (begin < marks.begin.length || end < begin) throw new Error(`${file} lacks its marks`);
  return { begin, end };
}
