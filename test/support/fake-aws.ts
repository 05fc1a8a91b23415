import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../../local/listen.ts';

export interface FakeAws {
  stop(): Promise<void>;
}

/** Lambda's Invoke, for callers who sign; `AWS_ENDPOINT_URL` leads here. */
export async function startFakeAws(invoke: (arn: string, payload: never) => Promise<unknown>): Promise<FakeAws> {
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const body = await text(request);
    const [, arn] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url) ?? [];
    const isSigned = headers.authorization?.includes('/local/lambda/aws4_request, SignedHeaders=');
    if (arn === undefined || !isSigned) return void response.writeHead(403).end('{}');
    const result = await invoke(decodeURIComponent(arn), JSON.parse(body) as never);
    response.writeHead(200).end(JSON.stringify(result));
  });
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${await listenOn(server, 0)}`;
  return { stop: () => closeServer(server) };
}
