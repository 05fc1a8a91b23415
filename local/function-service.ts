import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from './listen.ts';

/** Lambda's Invoke, for functions that hand events to others. */
export interface LocalFunctionService {
  /** For `AWS_ENDPOINT_URL_LAMBDA`. */
  readonly url: string;
  close(): Promise<void>;
}

const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** Accepts events (`X-Amz-Invocation-Type: Event`) and invokes the function that the ARN in the path names, without waiting. */
export async function serveFunctions(invoke: (id: string, event: unknown) => unknown): Promise<LocalFunctionService> {
  const server = createServer(async (request, response) => {
    const [, arn] = invokePath.exec(request.url ?? '') ?? [];
    const [, id] = /:function:([^:]+)/.exec(decodeURIComponent(arn ?? '')) ?? [];
    if (id === undefined || request.headers['x-amz-invocation-type'] !== 'Event') {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"Message":"Only events are supported."}');
      return;
    }
    invoke(id, JSON.parse(await text(request)));
    response.writeHead(202).end();
  });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, close: () => closeServer(server) };
}
