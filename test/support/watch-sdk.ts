import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** One request that the SDK sent over the wire, its own retries included. */
export interface SdkRequest {
  readonly command: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of all commands
  readonly input: any;
}

/** What is to happen to a request instead of what would. */
export type Fault = (request: SdkRequest, send: () => Promise<unknown>) => Promise<unknown>;

export interface WatchedSdk {
  readonly requests: SdkRequest[];
  /** The fault that every request meets from now on; undefined is none. */
  fault: Fault | undefined;
}

/** Counts what a client sends, below its retries, and lets a test stand in the way. */
export function watchSdk(client: DynamoDBClient): WatchedSdk {
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
  // The chains of middlewares that the client has put together so far are without this one.
  client.destroy();
  return watched;
}
