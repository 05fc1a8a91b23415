import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, listenOn } from './listen.ts';

/** A running key service. */
export interface LocalKeyService {
  /** For `AWS_ENDPOINT_URL_KMS`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Answers GenerateMac, of any key and message, with the root: 32 bytes in base64. */
export async function serveKeyService({ root }: { readonly root: string }): Promise<LocalKeyService> {
  const server = createServer((request, response) => {
    answer(request, response, root).catch(() => reply(response, 500, { __type: 'KMSInternalException' }));
  });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, close: () => closeServer(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, Mac: string): Promise<void> {
  const { KeyId, MacAlgorithm } = Object(await json(request));
  if (request.headers['x-amz-target'] === 'TrentService.GenerateMac')
    reply(response, 200, { KeyId, Mac, MacAlgorithm });
  else reply(response, 400, { __type: 'ValidationException', message: 'Only GenerateMac is supported.' });
}

function reply(response: ServerResponse, statusCode: number, body: object): void {
  response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
