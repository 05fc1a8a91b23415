import { encodeSegment } from './encode-segment.ts';

/** Lists the encodings of one path that name the same id (RFC 3986 section 3.3), each once, canonical first; none for an id no URL can carry. */
export function pathCandidates({ received, prefix, id, suffix }: ReceivedPath): readonly string[] {
  if (plainId.test(id) && received === prefix + id + suffix) return [received];
  if (!id.isWellFormed()) return [];
  const segments = new Set([encodeSegment(id), segmentOf(received, prefix, suffix), id, ...looserEncodings(id)]);
  return [...segments].filter((segment) => names(segment, id)).map((segment) => prefix + segment + suffix);
}

/** A path whose one variable segment is a user id (RFC 9421 section 2.2.6). */
export interface ReceivedPath {
  /** The whole path as it arrived, without a stage. */
  readonly received: string;
  /** What the route puts before the id. */
  readonly prefix: string;
  /** The id, decoded. */
  readonly id: string;
  /** What the route puts after the id. */
  readonly suffix: string;
}

const plainId = /^[A-Za-z0-9._~-]*$/;

/** What URL libraries send: `encodeURIComponent`, the path characters of RFC 3986, and those that Go's `url.PathEscape` leaves bare. */
function looserEncodings(id: string): string[] {
  const component = encodeURIComponent(id);
  const pathCharacters = component.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  const goPathEscape = encodeSegment(id).replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent);
  return [component, pathCharacters, goPathEscape];
}

function segmentOf(path: string, prefix: string, suffix: string): string {
  const isRoute = path.startsWith(prefix) && path.endsWith(suffix);
  return isRoute ? path.slice(prefix.length, path.length - suffix.length) : '';
}

/** Whether a segment is ASCII, stays one segment, and decodes to this id and no other. */
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
