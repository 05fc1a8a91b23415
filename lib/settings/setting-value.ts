import type { GivenSettings } from './given-settings.ts';

/** A setting as text; empty counts as absent, because scripts pass unset variables as empty. */
export function readText(given: GivenSettings, name: keyof GivenSettings): string | undefined {
  const text = String(given[name] ?? '').trim();
  return text === '' ? undefined : text;
}

/** A setting as a list, which `-c` separates by commas; absent is an empty list. */
export function readList(given: GivenSettings, name: keyof GivenSettings): string[] {
  return (
    readText(given, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  );
}

/** A setting as a whole number from 1 to 999999; throws on any other. */
export function readPositiveInteger(given: GivenSettings, name: keyof GivenSettings, byDefault: number): number {
  const value: unknown = given[name] ?? byDefault;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) {
    throw new Error(`The setting ${name} must be a whole number from 1 to 999999, not ${value}`);
  }
  return Number(value);
}

/** A setting that is `on` or `off`, or true or false; throws on any other. */
export function readSwitch(given: GivenSettings, name: keyof GivenSettings, byDefault: boolean): boolean {
  const value: unknown = given[name];
  if (typeof value === 'boolean') return value;
  const text = readText(given, name) ?? (byDefault ? 'on' : 'off');
  if (text === 'on' || text === 'off') return text === 'on';
  throw new Error(`The setting ${name} must be on or off, not ${text}`);
}

/** Parses JSON; undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
