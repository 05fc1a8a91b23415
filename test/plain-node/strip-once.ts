import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const javaScript = new Map<string, string>();

/** The JavaScript of a TypeScript file. Its types are stripped once, however many copies of the module are loaded. */
export function stripOnce(path: string): string {
  const known = javaScript.get(path);
  if (known !== undefined) return known;
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  javaScript.set(path, source);
  return source;
}
