import type { Node } from 'constructs';

/** Empty counts as absent, as a script leaves it whose variable is not set. */
export function readText(node: Node, name: string): string | undefined {
  const text = String(node.tryGetContext(name) ?? '').trim();
  return text === '' ? undefined : text;
}

/** A list is separated by commas; none is absent. */
export function readList(node: Node, name: string): string[] {
  return (
    readText(node, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  );
}

/** Throws on anything but a whole number from 1 to 999999. */
export function readPositiveInteger(node: Node, name: string, byDefault: number): number {
  const value: unknown = node.tryGetContext(name) ?? byDefault;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) {
    throw new Error(`The context value ${name} must be a whole number from 1 to 999999, not ${value}`);
  }
  return Number(value);
}
