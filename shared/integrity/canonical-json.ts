/**
 * The one text of JSON data, whatever the order of its members: the JSON Canonicalization Scheme (RFC 8785). Members that
 * are `undefined` do not exist. The text is compared as a whole, so nothing else may be left to chance: what RFC 8785
 * takes from ECMAScript, which are numbers and strings, `JSON.stringify` writes.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, as RFC 8785 section 3.2.3 has it.
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
