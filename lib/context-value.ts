import type { Node } from 'constructs';

/** A context value as text; empty counts as absent, because scripts pass unset variables as empty. */
export function readText(node: Node, name: string): string | undefined {
  const text = String(node.tryGetContext(name) ?? '').trim();
  return text === '' ? undefined : text;
}

/** A context value as a list separated by commas; absent is an empty list. */
export function readList(node: Node, name: string): string[] {
  return (
    readText(node, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  );
}

/** A context value as a whole number from 1 to 999999; throws on any other. */
export function readPositiveInteger(node: Node, name: string, byDefault: number): number {
  const value: unknown = node.tryGetContext(name) ?? byDefault;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) {
    throw new Error(`The context value ${name} must be a whole number from 1 to 999999, not ${value}`);
  }
  return Number(value);
}
