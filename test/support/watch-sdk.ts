import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableFormatKey } from '#shared/contract/table-format.ts';
import type * as Client from '#shared/table/client.ts';
import { eventually } from './eventually.ts';

/** One HTTP request that the SDK sent, including its own retries. */
export interface SdkRequest {
  readonly command: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of all commands
  readonly input: any;
}

/** Replaces the normal handling of a request. */
export type Fault = (request: SdkRequest, send: () => Promise<unknown>) => Promise<unknown>;

export interface WatchedSdk {
  readonly requests: SdkRequest[];
  /** The fault injected into every request from now on; undefined for none. */
  fault: Fault | undefined;
}

const watchedClients = new WeakMap<DynamoDBClient, WatchedSdk>();

/** Records what a client sends, below its retries, and injects faults; shared by all watchers of a client. */
export function watchSdk(client: DynamoDBClient): WatchedSdk {
  const watched = watchedClients.get(client) ?? watch(client);
  watchedClients.set(client, watched);
  return watched;
}

/** Watches the table's client of a service that runs in this process; started before, because the client reads its settings. */
export async function watchServiceTable(): Promise<WatchedSdk> {
  const { dynamoDb } = await import('#shared/table/dynamodb.ts');
  return watchSdk(dynamoDb);
}

function watch(client: DynamoDBClient): WatchedSdk {
  const watched: WatchedSdk = { requests: [], fault: undefined };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = { command: String(context.commandName), input: args.input };
      watched.requests.push(request);
      const send = () => next(args);
      return (watched.fault ? await watched.fault(request, send) : await send()) as Awaited<ReturnType<typeof send>>;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'watchSdk' },
  );
  // The client has cached its middleware stacks without this one.
  client.destroy();
  return watched;
}

/** Lets this process read the format of a table that has none, so that later requests read only what they are asked for. */
export async function readFormatFirst(sdk: WatchedSdk, { readItems }: Pick<typeof Client, 'readItems'>): Promise<void> {
  sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {}, Responses: {} } });
  await readItems([tableFormatKey]);
  sdk.fault = undefined;
  sdk.requests.length = 0;
}

/**
 * Sends requests with a key until this process has recorded the key's use of today, so that later ones send nothing of that. On
 * a slow machine, the first record is given up when its request is answered, and left to the next one.
 */
export async function recordKeyUse(sdk: WatchedSdk, ask: () => Promise<unknown>): Promise<void> {
  const askOnce = async () => {
    sdk.requests.length = 0;
    await ask();
    return sdk.requests.some(({ input }) => JSON.stringify(input.Key)?.includes('KEYUSE#'));
  };
  await eventually(askOnce, (isRecorded) => !isRecorded);
}
