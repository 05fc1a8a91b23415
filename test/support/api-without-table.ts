import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { serveHttpApi } from '../../local/http-api.ts';
import { createFunction } from '../../local/lambda-function.ts';
import { readStack } from '../../local/read-stack.ts';

const tableName = process.env.TABLE_NAME ?? '';
const environment = { ROOT_KEYS: process.env.ROOT_KEYS ?? '' };

/** Returns a function that starts the API of the deployed bundles, whose table never answers. */
export function apiWithoutTable() {
  let silent: Server;
  const sockets = new Set<Socket>();
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    // Accepts connections and never answers, like a network that drops packets.
    silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  return startApi;

  async function startApi() {
    const { functions, routes } = readStack(process.env.TEST_ASSEMBLY ?? '', { tableName });
    const dynamodb = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const running = new Map(
      functions.map((model) => [model.logicalId, createFunction(model, { dynamodb, environment })]),
    );
    for (const { close } of running.values()) stops.push(close);
    const invoke = async (id: string, event: unknown) =>
      (await running.get(id)?.invoke(event)) ?? { kind: 'failed' as const };
    const api = await serveHttpApi({ routes, port: 0, invoke });
    stops.push(api.close);
    const { rootKey } = await import('#shared/keys/root-keys.ts');
    const root = await rootKey('k1');
    if (root === undefined) throw new Error('The tests have a root');
    return { api, root };
  }
}
