import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOn } from '../local/listen.ts';
import type { Consumption } from './prices.ts';

/** A proxy in front of DynamoDB that counts requests and capacity units. */
export interface CapacityCounter {
  readonly endpoint: string;
  /** What was counted since the last call. */
  take(): Consumption;
  close(): Promise<void>;
}

/** The operations that consume units; streams and control plane are forwarded without being counted. */
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

/** Counts requests on the wire, with retries, and the units that DynamoDB states for the table and its index. */
export async function countCapacity(dynamodb: string): Promise<CapacityCounter> {
  let sum = nothing;
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (asked, answered) => {
    const target = String(asked.headers['x-amz-target'] ?? '');
    const body = await buffer(asked);
    const isCounted = counted.test(target);
    const reply = await forward({ dynamodb, agent }, asked, isCounted ? withCapacity(body) : body);
    const text = await buffer(reply);
    if (isCounted) sum = add(sum, consumptionOf(reads.test(target), JSON.parse(text.toString())));
    sendBack(answered, reply, text);
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

/** This breaks the signature, which no local engine verifies. */
function withCapacity(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'INDEXES' }));
}

function forward(
  { dynamodb, agent }: { readonly dynamodb: string; readonly agent: Agent },
  asked: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const headers = { ...asked.headers, host: new URL(dynamodb).host, 'content-length': body.byteLength };
  return new Promise((resolve, reject) => {
    request(dynamodb, { method: 'POST', headers, agent }, resolve).on('error', reject).end(body);
  });
}

function sendBack(answered: ServerResponse, { statusCode = 502, headers }: IncomingMessage, text: Buffer): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  answered.writeHead(statusCode, { ...rest, 'content-length': text.byteLength }).end(text);
}

interface Capacity {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
}

/** One capacity, or one per table of a batch or transaction; a refused request states none. */
function consumptionOf(isRead: boolean, answer: { readonly ConsumedCapacity?: Capacity | readonly Capacity[] }) {
  const capacities = [answer.ConsumedCapacity ?? []].flat();
  const total = sumOf(capacities.map(({ CapacityUnits = 0 }) => CapacityUnits));
  const table = sumOf(capacities.map(({ CapacityUnits = 0, Table }) => Table?.CapacityUnits ?? CapacityUnits));
  if (isRead) return { ...nothing, requests: 1, readUnits: total };
  return { ...nothing, requests: 1, tableWriteUnits: table, indexWriteUnits: total - table };
}

function add(one: Consumption, other: Consumption): Consumption {
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
