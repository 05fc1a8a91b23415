import { hash } from 'node:crypto';
import * as v from 'valibot';
import { invalidField } from '#shared/core/errors.ts';

const bindingBytes = 12;

/** Identifies the list that a cursor belongs to; any JSON. */
export type CursorBinding = readonly unknown[];

/** Encodes a position in a list. The cursor is bound to the list, so that one of another list is recognized. */
export function encodeCursor(bound: CursorBinding, position: readonly unknown[]): string {
  const text = JSON.stringify(position);
  return Buffer.concat([digestOf(bound, text), Buffer.from(text)]).toString('base64url');
}

/** Decodes a position; 400 for a cursor that is damaged or belongs to another list, naming the query parameter. */
export function decodeCursor<Schema extends v.GenericSchema>(
  bound: CursorBinding,
  { cursor, name, schema }: { readonly cursor: string; readonly name?: string | undefined; readonly schema: Schema },
): v.InferOutput<Schema> {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(bindingBytes).toString();
  const isOurs = cursor.length <= 4096 && bytes.toString('base64url') === cursor;
  if (!isOurs || !digestOf(bound, text).equals(bytes.subarray(0, bindingBytes))) throw foreignCursor(name);
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (!success) throw foreignCursor(name);
  return output;
}

/** Not a secret: it detects mistakes. A forged cursor can only select another position in the same list. */
function digestOf(bound: CursorBinding, text: string): Buffer {
  return hash('sha256', `${JSON.stringify(bound)}\n${text}`, 'buffer').subarray(0, bindingBytes);
}

/** The error for a cursor that is damaged or belongs to another list. */
export function foreignCursor(name = 'cursor'): Error {
  return invalidField(name, 'is not a cursor of this list; start again without a cursor');
}
