import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOn } from '../local/listen.ts';
import type { Consumption } from './prices.ts';

/** A proxy in front of DynamoDB and KMS that counts requests and capacity units. */
export interface CapacityCounter {
  readonly endpoint: string;
  /** The consumption since the last call. */
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

export interface CountOptions {
  /** The endpoint of KMS. Default: none, so no request may go there. */
  readonly kms?: string;
  /** Requests with such a body are forwarded without being counted. Default: none. */
  readonly except?: RegExp;
}

/** Counts requests on the wire, with retries, and the units that DynamoDB states for the table and its index. */
export async function countCapacity(dynamodb: string, { kms, except }: CountOptions = {}): Promise<CapacityCounter> {
  let sum = nothing;
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    const body = await buffer(request);
    const isOfKms = target.startsWith('TrentService.');
    const isCounted = counted.test(target) && except?.test(body.toString()) !== true;
    const headers = forwardedHeaders(request.headers);
    const endpoint = isOfKms ? String(kms) : dynamodb;
    const reply = await fetch(endpoint, { method: 'POST', headers, body: isCounted ? withCapacity(body) : body });
    const text = await reply.text();
    if (isCounted) sum = addConsumption(sum, consumptionOf(reads.test(target), JSON.parse(text)));
    if (isOfKms) sum = addConsumption(sum, { ...nothing, kmsRequests: 1 });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(text);
  });
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = sum;
      sum = nothing;
      return taken;
    },
    close: () => closeServer(server),
  };
}

/** The headers that the engine reads. */
function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
}

/** This breaks the signature, which no local engine verifies. */
function withCapacity(body: Buffer): string {
  return JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'INDEXES' });
}

interface Capacity {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
}

/** One capacity, or one per table of a batch or transaction; none for a refused request. */
function consumptionOf(isRead: boolean, answer: { readonly ConsumedCapacity?: Capacity | readonly Capacity[] }) {
  const capacities = [answer.ConsumedCapacity ?? []].flat();
  const total = sumOf(capacities.map(({ CapacityUnits = 0 }) => CapacityUnits));
  const table = sumOf(capacities.map(({ CapacityUnits = 0, Table }) => Table?.CapacityUnits ?? CapacityUnits));
  if (isRead) return { ...nothing, requests: 1, readUnits: total };
  return { ...nothing, requests: 1, tableWriteUnits: table, indexWriteUnits: total - table };
}

/** The sum of two. */
export function addConsumption(one: Consumption, other: Consumption): Consumption {
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
