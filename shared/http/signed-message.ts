import type { ServiceRoute } from '#shared/contract/routes.ts';
import { config } from '#shared/core/config.ts';
import { invalidField } from '#shared/core/errors.ts';
import { type ReadPath, readPath } from '#shared/signature/path.ts';
import type { SignedMessage } from '#shared/signature/verify.ts';
import type { ServiceEvent } from './service-event.ts';

/** The request as its signer may have seen it, and the one user that all readings of its path name, if it names any. */
export function readSignedMessage(
  event: ServiceEvent,
  route: ServiceRoute,
): { message: SignedMessage; userIdInPath: string | undefined } {
  const { paths, userId } = readReceivedPath(withoutStage(event), route);
  const message: SignedMessage = {
    method: event.requestContext.http.method,
    paths,
    authorities: [event.requestContext.domainName.toLowerCase(), ...config.publicAuthorities],
    query: event.rawQueryString,
    headers: event.headers,
    body: event.bodyBytes ?? new Uint8Array(),
  };
  return { message, userIdInPath: userId };
}

/**
 * HTTP APIs deliver the path decoded and cut at `%3F`, function URLs as it was sent; a named stage stands in front
 * (`docs/decisions/0003-path-candidates.md`). The id is read from the very path that the signature is checked against.
 */
function readReceivedPath(received: string, { path }: ServiceRoute): ReadPath {
  const read = readPath(received, path);
  if (read === undefined) throw invalidField('path:userId', 'cannot be read from the path');
  return read;
}

function withoutStage({ rawPath, requestContext: { stage } }: ServiceEvent): string {
  return rawPath.startsWith(`/${stage}/`) ? rawPath.slice(stage.length + 1) : rawPath;
}
