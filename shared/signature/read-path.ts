import { pathCandidates } from './path-candidates.ts';

/** What a path says under its route's template: the encodings that a signer may have used (RFC 9421 section 2.2.6), and the user id as it is named. */
export interface ReadPath {
  /** Equivalent encodings, the canonical one first. */
  readonly paths: readonly string[];
  /** Not yet checked against the alphabet; undefined where the template names no user. */
  readonly userId: string | undefined;
}

/** Reads a path by a template such as `/users/{userId}/access`; undefined if it does not fit. Without a variable the router has compared it. */
export function readPath(received: string, template: string): ReadPath | undefined {
  const [prefix = '', suffix] = template.split('{userId}');
  if (suffix === undefined) return { paths: [template], userId: undefined };
  const fits =
    received.startsWith(prefix) && received.endsWith(suffix) && received.length > prefix.length + suffix.length;
  if (!fits) return undefined;
  const id = decodeOnce(received.slice(prefix.length, received.length - suffix.length));
  return { paths: pathCandidates({ received, prefix, id, suffix }), userId: id };
}

function decodeOnce(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
