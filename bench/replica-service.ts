import './bench-environment.ts';
import { join } from 'node:path';
import { serveHttpApi } from '../local/http-api.ts';
import { startFunction } from '../local/lambda-function.ts';
import { readStack } from '../local/read-stack.ts';
import { synthesize } from '../local/synthesize.ts';
import { root } from './bench-environment.ts';
import { fillDatabase } from './filled-database.ts';
import type { BenchContext } from './measurement.ts';
import type { Population } from './populations.ts';

const tableName = 'replica';

/** The Service API as `npm start` serves it, with a filled table. */
export interface ReplicaService {
  readonly url: string;
  close(): Promise<void>;
}

/** The functions run in workers behind the local gateway; nothing reads the stream. */
export async function startReplicaService(population: Population, context: BenchContext): Promise<ReplicaService> {
  const assembly = await synthesize({ folder: join(context.directory, 'cdk.out') });
  const database = await fillDatabase({ [tableName]: population }, { ...context, assembly });
  const { functions: models, routes } = readStack(assembly, { tableName, root: root.toString('base64') });
  const options = { dynamodb: database.dynamodb };
  const functions = new Map(models.map((model) => [model.logicalId, startFunction(model, options)]));
  await Promise.all([...functions.values()].map(({ loaded }) => loaded));
  const api = await serveHttpApi({
    routes,
    port: 0,
    invoke: async (id, event) => (await functions.get(id)?.invoke(event)) ?? { kind: 'failed' },
  });
  return {
    url: api.url,
    close: async () => {
      await api.close();
      await Promise.all([...functions.values()].map((each) => each.close()));
      await database.close();
    },
  };
}
