import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Outcome } from './lambda-function.ts';
import { closeServer, listenOn } from './listen.ts';

/** Lambda's Invoke, for functions that call others. */
export interface LocalFunctionService {
  /** For `AWS_ENDPOINT_URL_LAMBDA`. */
  readonly url: string;
  close(): Promise<void>;
}

const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * Invokes the function that the ARN in the path names: without waiting, for an event (`X-Amz-Invocation-Type: Event`), or else for
 * its result.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export async function serveFunctions(
  invoke: (id: string, event: unknown) => Promise<Outcome>,
): Promise<LocalFunctionService> {
  const server = createServer(async (request, response) => {
    const [, arn] = invokePath.exec(request.url ?? '') ?? [];
    const [, id] = /:function:([^:]+)/.exec(decodeURIComponent(arn ?? '')) ?? [];
    if (id === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"Message":"Only Invoke is supported."}');
      return;
    }
    const outcome = invoke(id, JSON.parse((await text(request)) || '{}'));
    if (request.headers['x-amz-invocation-type'] === 'Event') {
      response.writeHead(202).end();
      return;
    }
    const ended = await outcome;
    if (ended.kind === 'result') response.writeHead(200).end(ended.json);
    else
      response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end(JSON.stringify({ errorType: ended.kind }));
  });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, close: () => closeServer(server) };
}
