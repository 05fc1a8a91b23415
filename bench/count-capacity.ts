import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOn } from '../local/listen.ts';
import type { Consumption } from './prices.ts';

/** A proxy in front of DynamoDB and KMS that counts requests and capacity units. */
export type CapacityCounter = Awaited<ReturnType<typeof countCapacity>>;

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
export async function countCapacity(dynamodb: string, { kms, except }: CountOptions = {}) {
  let sum = nothing;
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    const body = await buffer(request);
    const isOfKms = target.startsWith('TrentService.');
    const isCounted = counted.test(target) && except?.test(body.toString()) !== true;
    const reply = await askAws(isOfKms ? String(kms) : dynamodb, target, isCounted ? withCapacity(body) : body);
    const text = await reply.text();
    if (isCounted) sum = addConsumption(sum, consumptionOf(reads.test(target), JSON.parse(text)));
    if (isOfKms) sum = addConsumption(sum, { ...nothing, kmsRequests: 1 });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(text);
  });
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** The consumption since the last call. */
    take: () => {
      const taken = sum;
      sum = nothing;
      return taken;
    },
    close: () => closeServer(server),
  };
}

/** Passes a request on to a local engine, which wants a signature and verifies none. */
export function askAws(endpoint: string, target: string, body: Buffer | string): Promise<Response> {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=a, Signature=0';
  const signature = { authorization, 'x-amz-date': '20260101T000000Z' };
  const headers = { ...signature, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
  return fetch(endpoint, { method: 'POST', headers, body: body.toString() });
}

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
  const sumOf = (units: (capacity: Capacity) => number) => capacities.reduce((sum, each) => sum + units(each), 0);
  const total = sumOf(({ CapacityUnits = 0 }) => CapacityUnits);
  const table = sumOf(({ CapacityUnits = 0, Table }) => Table?.CapacityUnits ?? CapacityUnits);
  if (isRead) return { ...nothing, requests: 1, readUnits: total };
  return { ...nothing, requests: 1, tableWriteUnits: table, indexWriteUnits: total - table };
}

/** The sum of two. */
export function addConsumption(one: Consumption, other: Consumption): Consumption {
  return mapConsumption(one, (value, name) => value + other[name]);
}

/** Another value for each part. */
export function mapConsumption(from: Consumption, change: (value: number, name: keyof Consumption) => number) {
  const entries = Object.entries(from).map(([name, value]) => [name, change(value, name as keyof Consumption)]);
  return Object.fromEntries(entries) as Consumption;
}
