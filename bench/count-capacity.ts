import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOn } from '../local/listen.ts';
import type { Consumption } from './prices.ts';

/** Stands before a DynamoDB and counts what passes; whoever talks to it need not know. */
export interface CapacityCounter {
  readonly endpoint: string;
  /** What passed since the last time. */
  take(): Consumption;
  close(): Promise<void>;
}

/** The operations that consume units; the streams and the control plane are passed on uncounted. */
const counted =
  /^DynamoDB_\d+\.(?:GetItem|BatchGetItem|Query|PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;
const reads = /\.(?:GetItem|BatchGetItem|Query)$/;

export const nothing: Consumption = {
  requests: 0,
  readUnits: 0,
  tableWriteUnits: 0,
  indexWriteUnits: 0,
  kmsRequests: 0,
};

/** Counts requests as they are on the wire, retries among them, and units as DynamoDB itself states them for each index. */
export async function countCapacity(dynamodb: string): Promise<CapacityCounter> {
  let sum = nothing;
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (asked, answered) => {
    const target = String(asked.headers['x-amz-target'] ?? '');
    const body = await buffer(asked);
    const isCounted = counted.test(target);
    const reply = await passOn({ dynamodb, agent }, asked, isCounted ? withCapacity(body) : body);
    const text = await buffer(reply);
    if (isCounted) sum = add(sum, consumptionOf(reads.test(target), JSON.parse(text.toString())));
    passBack(answered, reply, text);
  });
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = sum;
      sum = nothing;
      return taken;
    },
    close: async () => {
      await closeServer(server);
      agent.destroy();
    },
  };
}

/** The signature no longer fits, which no local engine checks. */
function withCapacity(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'INDEXES' }));
}

function passOn(
  { dynamodb, agent }: { readonly dynamodb: string; readonly agent: Agent },
  asked: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const headers = { ...asked.headers, host: new URL(dynamodb).host, 'content-length': body.byteLength };
  return new Promise((resolve, reject) => {
    request(dynamodb, { method: 'POST', headers, agent }, resolve).on('error', reject).end(body);
  });
}

function passBack(answered: ServerResponse, { statusCode = 502, headers }: IncomingMessage, text: Buffer): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  answered.writeHead(statusCode, { ...rest, 'content-length': text.byteLength }).end(text);
}

interface Capacity {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
}

/** One table's or, of a batch or a transaction, those of each; a refused request states none. */
function consumptionOf(isRead: boolean, answer: { readonly ConsumedCapacity?: Capacity | readonly Capacity[] }) {
  const capacities = [answer.ConsumedCapacity ?? []].flat();
  const total = sumOf(capacities.map(({ CapacityUnits = 0 }) => CapacityUnits));
  const table = sumOf(capacities.map(({ CapacityUnits = 0, Table }) => Table?.CapacityUnits ?? CapacityUnits));
  if (isRead) return { ...nothing, requests: 1, readUnits: total };
  return { ...nothing, requests: 1, tableWriteUnits: table, indexWriteUnits: total - table };
}

/** Both together. */
export function add(one: Consumption, other: Consumption): Consumption {
  return {
    requests: one.requests + other.requests,
    readUnits: one.readUnits + other.readUnits,
    tableWriteUnits: one.tableWriteUnits + other.tableWriteUnits,
    indexWriteUnits: one.indexWriteUnits + other.indexWriteUnits,
    kmsRequests: one.kmsRequests + other.kmsRequests,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
