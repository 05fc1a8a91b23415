/**
 * Serializes JSON data by the JSON Canonicalization Scheme (RFC 8785), so that the text does not depend on the order of
 * members. Omits members that are `undefined`. RFC 8785 formats numbers and strings as ECMAScript does, so `JSON.stringify`
 * serializes them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units (RFC 8785 section 3.2.3).
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
