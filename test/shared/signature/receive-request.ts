import { pathCandidates } from '#shared/signature/path.ts';
import type { SignedMessage } from '#shared/signature/verify.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** How a gateway forwards a path: HTTP APIs decode it, function URLs keep it. */
export type GatewayPath = 'decodes' | 'keeps';

/** Returns the message that a function behind the gateway reads from the event of a sent request. */
export function receiveRequest(request: SentRequest, gateway: GatewayPath = 'decodes'): SignedMessage {
  const [, authority = '', sentPath = '', query = ''] = /^https:\/\/([^/]+)([^?]*)\??(.*)$/.exec(request.url) ?? [];
  const [, prefix = '', sentId = '', suffix = ''] = /^(\/api\/service\/[a-z]+\/)([^/]*)(.*)$/.exec(sentPath) ?? [];
  const received = gateway === 'decodes' ? decodeURIComponent(sentPath) : sentPath;
  return {
    method: request.method,
    authorities: [authority],
    paths: pathCandidates({ received, prefix, id: decodeURIComponent(sentId), suffix }),
    query,
    headers: joinHeaders(request.headers),
    body: Buffer.from(request.body ?? ''),
  };
}

function joinHeaders(headers: SentRequest['headers']): Record<string, string> {
  const joined = Object.entries(headers).map(([name, values]) => [name.toLowerCase(), [values].flat().join(',')]);
  return Object.fromEntries(joined);
}
