import type { ServiceRoute } from '#shared/contract/routes.ts';
import { config } from '#shared/core/config.ts';
import { invalidField } from '#shared/core/errors.ts';
import { pathCandidates } from '#shared/signature/path-candidates.ts';
import type { SignedMessage } from '#shared/signature/signed-message.ts';
import type { ServiceEvent } from './service-event.ts';

/** The request as its signer may have seen it, and the one user that all readings of its path name, if it names any. */
export function readSignedMessage(
  event: ServiceEvent,
  route: ServiceRoute,
): { message: SignedMessage; userIdInPath: string | undefined } {
  const { paths, userIdInPath } = readPath(withoutStage(event), route);
  const message: SignedMessage = {
    method: event.requestContext.http.method,
    paths,
    authorities: [event.requestContext.domainName.toLowerCase(), ...config.publicAuthorities],
    query: event.rawQueryString,
    headers: event.headers,
    body: event.bodyBytes ?? new Uint8Array(),
  };
  return { message, userIdInPath };
}

/** A path without a variable has one encoding; the router has compared it. */
function readPath(received: string, { path }: ServiceRoute) {
  const [prefix = '', suffix] = path.split('{userId}');
  if (suffix === undefined) return { paths: [path], userIdInPath: undefined };
  const id = readUserId(received, prefix, suffix);
  return { paths: pathCandidates({ received, prefix, id, suffix }), userIdInPath: id };
}

/**
 * HTTP APIs deliver the path decoded and cut at `%3F`, function URLs as it was sent; a named stage stands in front
 * (`docs/decisions/0003-path-candidates.md`). The id is read from the very path that the signature is checked against.
 */
function readUserId(received: string, prefix: string, suffix: string): string {
  const fits =
    received.startsWith(prefix) && received.endsWith(suffix) && received.length > prefix.length + suffix.length;
  if (!fits) throw invalidField('path:userId', 'cannot be read from the path');
  return decodeOnce(received.slice(prefix.length, received.length - suffix.length));
}

function withoutStage({ rawPath, requestContext: { stage } }: ServiceEvent): string {
  return rawPath.startsWith(`/${stage}/`) ? rawPath.slice(stage.length + 1) : rawPath;
}

function decodeOnce(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
