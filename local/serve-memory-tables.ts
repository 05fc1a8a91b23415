import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from './listen.ts';
import { ValidationError } from './memory/expressions.ts';
import { isItemOperation, OperationError, wireOutput } from './memory/item-operations.ts';
import { MemoryTables } from './memory-tables.ts';

/** A server of tables in memory. */
export interface MemoryTableServer {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Serves tables in memory at a free port of 127.0.0.1 by the protocol of DynamoDB (Amazon DynamoDB API reference, JSON 1.0), in
 * place of an emulator: the operations that this project uses, without capacities and limits on sizes. Like an emulator, it verifies
 * no signature. With a file the tables are there again after a restart.
 */
export async function serveMemoryTables(file?: string): Promise<MemoryTableServer> {
  const tables = new MemoryTables(file);
  const server = createServer((request, response) => void serve(tables, request, response));
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      await closeServer(server);
      tables.close();
    },
  };
}

async function serve(tables: MemoryTables, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const operation = String(request.headers['x-amz-target'] ?? '').replace(/^\w+\./, '');
  const { status, body } = await text(request)
    .then((content) => answer(tables, operation, content))
    .catch(failure);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}

function answer(tables: MemoryTables, operation: string, content: string) {
  const output = tables.run(operation, content === '' ? {} : JSON.parse(content));
  return { status: 200, body: isItemOperation(operation) ? wireOutput(output) : output };
}

function failure(error: unknown) {
  const isKnown = error instanceof ValidationError || error instanceof OperationError;
  const { name, message } = isKnown ? error : { name: 'InternalServerError', message: String(error) };
  const details = error instanceof OperationError ? wireOutput(error.details) : {};
  return { status: isKnown ? 400 : 500, body: { __type: name, message, ...details } };
}
