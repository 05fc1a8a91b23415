import { type LocalEvent, serveEventBus } from '../../local/eventbridge.ts';
import { readPolicies } from '../../local/iam/read-policies.ts';
import { serveKeyService } from '../../local/key-service.ts';
import { createFunction, type LambdaFunction } from '../../local/lambda-function.ts';
import { pollStream } from '../../local/poll-stream.ts';
import { openAssembly, readFunctions } from '../../local/read-stack.ts';
import { functionIdsOf, templateIn } from '../stack/synthesized-stack.ts';
import { type FaultyBus, serveFaultyBus } from './faulty-bus.ts';
import { runRoot } from './run-root.ts';
import type { TestService } from './start-service.ts';

const assembly = process.env.TEST_ASSEMBLY ?? '';
const tableName = process.env.TABLE_NAME ?? '';

/** The publisher's bundle, running under its policies between the table's stream and a local bus. */
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
  const keyService = await serveKeyService({ root: runRoot });
  const { model, policies } = readPublisher();
  const start = () =>
    createFunction(model, { dynamodb: endpoint, eventBus: bus.url, kms: keyService.url, policies, log });
  let publisher: LambdaFunction = start();
  const poller = await pollStream({
    endpoint,
    tableName,
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
      await keyService.close();
      await bus.close();
      await sink.close();
    },
  };
}

function readPublisher() {
  const resources = openAssembly(assembly, { tableName });
  const id = functionIdsOf(templateIn(assembly)).get('publish-changes') ?? '';
  const [model] = readFunctions(assembly, resources, [id]);
  if (model === undefined) throw new Error('The stack has no publisher');
  return { model, policies: readPolicies(resources, tableName).get(id) };
}
