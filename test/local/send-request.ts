import { type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RequestToSend {
  readonly method?: string;
  /** Sent unchanged. */
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: string;
}

/** Sends a request without the corrections that fetch makes to paths and headers. */
export async function sendRequest(baseUrl: string, options: RequestToSend): Promise<Received> {
  const { method = 'GET', path = '/', headers = {}, body } = options;
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const outgoing = request({ hostname, port, method, path, headers, agent: false }, (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode, headers: response.headersDistinct, body: received }),
      reject,
    );
  });
  outgoing.on('error', reject).end(body);
  return await promise;
}
