import * as v from 'valibot';
import type { OperationDocumentation } from './documentation.ts';

/** Members that an option adds to the answer of an operation that is not its own, with their part of the example. */
export interface AddedMembers {
  readonly entries: v.ObjectEntries;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The documents of an operation whose answer has more members. */
export function withMembers(documentation: OperationDocumentation, added: readonly AddedMembers[]) {
  const { answer, example } = documentation;
  if (added.length === 0) return documentation;
  if (!('entries' in answer)) throw new Error(`${documentation.summary}: no members can be added to its answer`);
  const entries = Object.assign({}, answer.entries, ...added.map((one) => one.entries));
  const whole = Object.assign({}, example.answer, ...added.map((one) => one.example));
  return { ...documentation, answer: v.object(entries), example: { ...example, answer: whole } };
}
