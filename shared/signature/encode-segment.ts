/** Encodes an id as one segment of a path, only the unreserved characters of RFC 3986 section 2.3 bare, hexadecimal digits in upper case. */
export function encodeSegment(id: string): string {
  return encodeURIComponent(id).replace(/[!'()*]/g, (bare) => `%${bare.charCodeAt(0).toString(16).toUpperCase()}`);
}
