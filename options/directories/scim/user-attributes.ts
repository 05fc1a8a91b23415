import type { DirectoryUserState, JsonObject, JsonValue } from './directory.ts';

/** Text to compare without regard to case, such as a `userName` (RFC 7643 section 4.1.1). */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The e-mail addresses of a user, the primary one first. */
export function emailsOf({ emails }: JsonObject): readonly string[] {
  if (!Array.isArray(emails)) return [];
  const rows = (emails as readonly JsonValue[]).filter(isObject);
  const primaryFirst = [...rows.filter(({ primary }) => primary === true), ...rows];
  const values = primaryFirst.flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
  return [...new Set(values)];
}

/** The name of a user for people; undefined if the directory gives none. */
export function nameForPeople({ displayName, name }: JsonObject): string | undefined {
  const { formatted, givenName, familyName } = isObject(name) ? name : ({} as JsonObject);
  const joined = [givenName, familyName].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return [displayName, formatted, joined].find(isText);
}

/**
 * What a directory says next of a user. A user that is deactivated keeps the login name if the new one is only that of a deleted
 * object, which Entra ID forms from 32 hexadecimal digits and the old one.
 */
export function withLoginName(current: DirectoryUserState, next: DirectoryUserState): DirectoryUserState {
  const isTombstone =
    /^[0-9a-f]{32}/i.test(next.userName) && foldCase(next.userName.slice(32)) === foldCase(current.userName);
  return isTombstone && !next.active ? { ...next, userName: current.userName } : next;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
