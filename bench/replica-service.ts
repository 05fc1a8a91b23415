import './bench-environment.ts';
import { join } from 'node:path';
import { serveHttpApi } from '../local/http-api.ts';
import type { HttpServer } from '../local/http-server.ts';
import { createFunction } from '../local/lambda-function.ts';
import { readStack } from '../local/read-stack.ts';
import { synthesize } from '../local/synthesize.ts';
import { root } from './bench-environment.ts';
import { fillDatabase } from './filled-database.ts';
import type { BenchContext } from './measurement.ts';
import type { Population } from './populations.ts';

const tableName = 'replica';

/** The Service API as `npm start` serves it, with a filled table. */
export interface ReplicaService {
  /** Serves it at a port, 0 for any that is free, until it is closed there. */
  serve(port: number): Promise<HttpServer>;
  close(): Promise<void>;
}

/** The functions run in workers behind the local gateway; nothing reads the stream. */
export async function startReplicaService(population: Population, context: BenchContext): Promise<ReplicaService> {
  const assembly = await synthesize({ folder: join(context.directory, 'cdk.out') });
  const database = await fillDatabase({ [tableName]: population }, { ...context, assembly });
  const { functions: models, routes } = readStack(assembly, { tableName, root: root.toString('base64') });
  const options = { dynamodb: database.dynamodb };
  const functions = new Map(models.map((model) => [model.logicalId, createFunction(model, options)]));
  await Promise.all([...functions.values()].map((each) => each.load()));
  return {
    serve: (port) =>
      serveHttpApi({
        routes,
        port,
        invoke: async (id, event) => (await functions.get(id)?.invoke(event)) ?? { kind: 'failed' },
      }),
    close: async () => {
      await Promise.all([...functions.values()].map((each) => each.close()));
      await database.close();
    },
  };
}
