import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../../local/listen.ts';

/** A proxy in front of the local DynamoDB that denies some requests, as a policy does. */
export interface FaultyTable {
  readonly url: string;
  /** The number of denied requests. */
  readonly denied: number;
  /** Decides whether to deny a request, by the operation and its JSON. Default: none. */
  denies: (operation: string, body: string) => boolean;
  close(): Promise<void>;
}

export async function serveFaultyTable(endpoint: string): Promise<FaultyTable> {
  let denied = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = new Headers();
    for (const name of ['content-type', 'authorization', 'x-amz-target', 'x-amz-date']) {
      headers.set(name, String(request.headers[name] ?? ''));
    }
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    if (faulty.denies(operation, body)) {
      denied += 1;
      const error = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'denied by the test' };
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
      return;
    }
    const answer = await fetch(endpoint, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(await answer.text());
  });
  const faulty: FaultyTable = {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    get denied() {
      return denied;
    },
    denies: () => false,
    close: () => closeServer(server),
  };
  return faulty;
}
