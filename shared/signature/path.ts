/** A path read by its route's template: the encodings that a signer may have used (RFC 9421 section 2.2.6), and its variable. */
export interface ReadPath {
  /** Equivalent encodings, the canonical one first. */
  readonly paths: readonly string[];
  /** The value of the variable by its name, not yet validated; empty if the template has none. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Reads a path by a template with at most one variable, such as `/users/{userId}/access`; undefined if it does not match.
 * Without a variable, the router has compared it.
 */
export function readPath(received: string, template: string): ReadPath | undefined {
  const [prefix = '', name, suffix = ''] = template.split(/[{}]/);
  if (name === undefined) return { paths: [template], variables: {} };
  const segment = segmentOf(received, prefix, suffix);
  if (segment === '') return undefined;
  const id = decode(segment) ?? segment;
  return { paths: pathCandidates({ received, prefix, id, suffix }), variables: { [name]: id } };
}

/** A path whose one variable segment is an id (RFC 9421 section 2.2.6). */
export interface ReceivedPath {
  /** The whole path as it arrived, without a stage. */
  readonly received: string;
  /** The route's text before the id. */
  readonly prefix: string;
  /** The id, decoded. */
  readonly id: string;
  /** The route's text after the id. */
  readonly suffix: string;
}

/**
 * Lists the distinct encodings of one path that decode to the same id (RFC 3986 section 3.3), canonical first; none for an
 * id that no URL can carry.
 */
export function pathCandidates({ received, prefix, id, suffix }: ReceivedPath): readonly string[] {
  if (plainId.test(id) && received === prefix + id + suffix) return [received];
  if (!id.isWellFormed()) return [];
  const segments = new Set([encodeSegment(id), segmentOf(received, prefix, suffix), id, ...looserEncodings(id)]);
  return [...segments].filter((segment) => names(segment, id)).map((segment) => prefix + segment + suffix);
}

const plainId = /^[A-Za-z0-9._~-]*$/;

/**
 * Encodes an id as one segment of a path: only the unreserved characters of RFC 3986 section 2.3 are not encoded;
 * hexadecimal digits are in upper case.
 */
export function encodeSegment(id: string): string {
  return encodeURIComponent(id).replace(/[!'()*]/g, (bare) => `%${bare.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The encodings that URL libraries send: `encodeURIComponent`, the path characters of RFC 3986, and those of Go's
 * `url.PathEscape`.
 */
function looserEncodings(id: string): string[] {
  const component = encodeURIComponent(id);
  const pathCharacters = component.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  const goPathEscape = encodeSegment(id).replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent);
  return [component, pathCharacters, goPathEscape];
}

/** The text between prefix and suffix; empty if the path does not match. */
function segmentOf(path: string, prefix: string, suffix: string): string {
  const fits = path.startsWith(prefix) && path.endsWith(suffix);
  return fits ? path.slice(prefix.length, path.length - suffix.length) : '';
}

/** Whether a segment is ASCII, remains one segment, and decodes to exactly this id. */
function names(segment: string, id: string): boolean {
  return /^[ -"$-.0->@-~]*$/.test(segment) && decode(segment) === id;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * The path as an HTTP API passes it on: decoded, cut at a decoded question mark, and decoded a second time, so that `%2525`
 * arrives as `%` (captured on AWS, hotsock/voker, `ingress-paths.json`). Undefined for a path that the
 * gateway refuses with a 400 of its own.
 */
export function decodePath(path: string): string | undefined {
  try {
    const [decoded = ''] = decodeURIComponent(path).split('?', 1);
    return decodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}
