import { join } from 'node:path';
import { type LocalEvent, serveEventBus } from '../../local/eventbridge.ts';
import { createFunction, type LambdaFunction } from '../../local/lambda-function.ts';
import { pollStream } from '../../local/poll-stream.ts';
import { type FaultyBus, serveFaultyBus } from './faulty-bus.ts';
import type { TestService } from './start-service.ts';

const assembly = process.env.TEST_ASSEMBLY ?? '';

/** The publisher's bundle, running between the table's stream and a local bus. */
export interface Publishing {
  /** All events on the bus, oldest first. */
  readonly events: readonly LocalEvent[];
  /** The proxy between the publisher and the bus. */
  readonly bus: FaultyBus;
  /** Terminates the running function; the next batch restarts it. */
  kill(): Promise<void>;
  readonly logLines: readonly string[];
  stop(): Promise<void>;
}

export async function startPublishing({ endpoint }: Pick<TestService, 'endpoint'>): Promise<Publishing> {
  const logLines: string[] = [];
  const log = (line: string) => void logLines.push(line);
  const sink = await serveEventBus();
  const bus = await serveFaultyBus(sink.url);
  const start = () => createFunction(modelOf(bus.url), { dynamodb: endpoint, log });
  let publisher: LambdaFunction = start();
  const poller = await pollStream({
    endpoint,
    tableName: process.env.TABLE_NAME ?? '',
    source: {
      functionId: 'PublishChanges',
      batchSize: 100,
      maxAgeSeconds: 86_400,
      filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } }],
    },
    invoke: (event) => publisher.invoke(event),
    log,
  });
  return {
    events: sink.events,
    bus,
    kill: async () => {
      const killed = publisher;
      publisher = start();
      await killed.close();
    },
    logLines,
    stop: async () => {
      await poller.close();
      await publisher.close();
      await bus.close();
      await sink.close();
    },
  };
}

/** The function as `lib/data/change-events.ts` defines it, with the address of the bus. */
function modelOf(busUrl: string) {
  return {
    logicalId: 'PublishChanges',
    handler: 'index.handler',
    environment: {
      POWERTOOLS_SERVICE_NAME: 'auth-service',
      POWERTOOLS_METRICS_NAMESPACE: 'AuthService',
      EVENT_BUS_NAME: 'auth-service',
      AWS_ENDPOINT_URL_EVENTBRIDGE: busUrl,
    },
    codeFolder: join(assembly, 'bundles/publish-changes'),
    timeoutSeconds: 60,
    memoryMegabytes: 1024,
  };
}
