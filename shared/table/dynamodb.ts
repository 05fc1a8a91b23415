import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { getSmithyContext } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsClientOptions, enforceDeadline } from '#shared/core/aws-client.ts';
import { currentSignal } from '#shared/core/clock.ts';
import { currentUsage } from '#shared/core/telemetry.ts';

/* The requests that the service sends to DynamoDB. No other file uses its SDK. */

type SdkError = Parameters<typeof isTransientError>[0];
type Attributes = ConditionalCheckFailedException['Item'];

/** An item as DynamoDB stores it; the file of the item parses it. */
export type Item = Record<string, unknown>;

/** One client per process. */
export const dynamoDb: DynamoDBClient = new DynamoDBClient({ ...awsClientOptions, signer });
// As the document client does; it refuses a client that caches the chains of its commands.
Object.assign(dynamoDb.config, {
  // A map with a key `constructor`, which a role may be named, is not recognized as a plain object.
  translateConfig: { marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true } },
});
copyCompactly(dynamoDb);
leaveOut(dynamoDb, ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware']);
countUsage(dynamoDb);
enforceDeadline(dynamoDb);
endWithCurrentRequest(dynamoDb);

/** Sends the document client's commands by a client that caches their chains of middleware. */
const documents: Pick<DynamoDBDocumentClient, 'send'> = {
  send: (command: object) => Object(dynamoDb).send(cacheable(command)),
};

/** Options of all requests: the signal is that of the request of which the SDK reads it. */
const options = {
  get abortSignal(): AbortSignal | undefined {
    return currentSignal();
  },
};

type SendCommand = (command: object) => Promise<object>;

/**
 * Lets the client cache the chain of middleware of a command, as it does for its own: building it for each request is a twentieth of
 * what a read takes. The chain of a document command sends the `clientCommand` that the command has when it is called.
 */
function cacheable<Command extends object>(command: Command): Command {
  const { resolveMiddleware }: { resolveMiddleware: (...args: unknown[]) => SendCommand } = Object(command);
  return Object.assign(command, {
    resolveMiddleware: (stack: unknown, config: unknown): SendCommand => {
      const send = resolveMiddleware.call(command, stack, config, options);
      return (sent) => {
        Object.assign(command, { clientCommand: sent });
        return send(sent);
      };
    },
  });
}

/** Ends the SDK's waits between its retries too. */
function endWithCurrentRequest({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next, context) => {
      Object.defineProperty(getSmithyContext(context), 'abortSignal', { get: currentSignal });
      return next;
    },
    { step: 'initialize', name: 'endWithCurrentRequest' },
  );
}

/**
 * The SDK copies its configuration three times for each request. V8 copies an object slowly that was put together member by
 * member, and a copy of it fast: that is a sixth of what a read takes in the SDK.
 */
function copyCompactly(client: DynamoDBClient): void {
  const config = { ...client.config };
  Object.assign(client, { config });
  // Two of the copies are made by middleware that has kept the configuration itself.
  client.middlewareStack.use(getSchemaSerdePlugin(config));
}

/** What a request to DynamoDB does not need, a tenth of what a read takes in the SDK; throws if the SDK has no such middleware. */
function leaveOut({ middlewareStack }: DynamoDBClient, names: readonly string[]): void {
  for (const name of names) {
    if (!middlewareStack.remove(name)) throw new Error(`The SDK has no ${name}`);
  }
}

let cachedSigner: SignatureV4 | undefined;

/** By default the SDK creates one per request from a copy of the client's whole configuration: 2% of a read's CPU time. */
async function signer(): Promise<SignatureV4> {
  const { credentials, region, sha256 } = dynamoDb.config;
  cachedSigner ??= new SignatureV4({ credentials, region, sha256, service: 'dynamodb' });
  return cachedSigner;
}

/** Reads items by their keys. */
export function batchGet(input: BatchGetCommandInput): Promise<BatchGetCommandOutput> {
  return documents.send(new BatchGetCommand(input));
}

/** Reads a page of a partition. */
export function query(input: QueryCommandInput): Promise<QueryCommandOutput> {
  return documents.send(new QueryCommand(input));
}

/** Reads a page of the whole table. */
export function scan(input: ScanCommandInput): Promise<ScanCommandOutput> {
  return documents.send(new ScanCommand(input));
}

/** Writes one item. */
export async function put(input: PutCommandInput): Promise<void> {
  await documents.send(new PutCommand(input));
}

/** Deletes one item. */
export async function remove(input: DeleteCommandInput): Promise<void> {
  await documents.send(new DeleteCommand(input));
}

/** Updates one item. */
export function update(input: UpdateCommandInput): Promise<UpdateCommandOutput> {
  return documents.send(new UpdateCommand(input));
}

/** Writes all entries or none. */
export async function transactWrite(input: TransactWriteCommandInput): Promise<void> {
  await documents.send(new TransactWriteCommand(input));
}

/** Why one entry of a transaction was refused; `None` for one that was not. */
export interface CancellationReason {
  readonly code: string;
  /** The existing item, if the entry requests it. */
  readonly item: Item;
}

/** The causes of a failed request that the service distinguishes. */
export type TableFailure =
  | { readonly kind: 'condition failed'; readonly item: Item }
  | { readonly kind: 'cancelled'; readonly reasons: readonly CancellationReason[] }
  /** DynamoDB has already received the same transaction and has not completed it. */
  | { readonly kind: 'in progress' }
  /** A transaction is writing the item. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'aborted' }
  /** DynamoDB did not respond, throttled the request, or sent an unreadable response. */
  | { readonly kind: 'unavailable' }
  /** A bug in the service, such as an invalid request. */
  | { readonly kind: 'defect' };

/** Classifies an error thrown by a request. */
export function failureOf(error: unknown): TableFailure {
  if (!(error instanceof Error)) return { kind: 'defect' };
  if (error instanceof ConditionalCheckFailedException) return { kind: 'condition failed', item: itemOf(error.Item) };
  if (error instanceof TransactionCanceledException) return { kind: 'cancelled', reasons: reasonsOf(error) };
  if (error instanceof TransactionInProgressException) return { kind: 'in progress' };
  if (error.name === 'TransactionConflictException') return { kind: 'conflict' };
  if (error.name === 'AbortError') return { kind: 'aborted' };
  const transient =
    isTransientError(error as SdkError) || isThrottlingError(error as SdkError) || isServerError(error as SdkError);
  return { kind: transient || isUnreadable(error) ? 'unavailable' : 'defect' };
}

function reasonsOf({ CancellationReasons = [] }: TransactionCanceledException): CancellationReason[] {
  return CancellationReasons.map(({ Code = '', Item }) => ({ code: Code, item: itemOf(Item) }));
}

/** The document client does not unmarshall the items of errors. */
function itemOf(attributes: Attributes): Item {
  return attributes === undefined ? {} : unmarshall(attributes);
}

/** The SDK names an error `Unknown` if the response has no error code, such as one that was cut off. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || error.name === 'Unknown';
}

/** Counts the requests of a client, and the capacity that DynamoDB reports for them. */
function countUsage({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const usage = currentUsage();
      if (usage !== undefined) usage.consumedCapacity += unitsOf(result.output);
      return result;
    },
    { step: 'initialize', name: 'countCapacity' },
  );
  middlewareStack.add(
    (next) => (args) => {
      const usage = currentUsage();
      if (usage !== undefined) usage.dynamoDbRequests += 1;
      return next(args);
    },
    // Inside the retries, so that each one counts.
    { step: 'finalizeRequest', priority: 'low', name: 'countRequests' },
  );
}

/** For a batch or transaction DynamoDB reports a list, with one entry per table. */
function unitsOf(output: object): number {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

interface Capacity {
  readonly CapacityUnits?: number;
}
