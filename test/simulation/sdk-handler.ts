import { Readable } from 'node:stream';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import { clearCredentialCache } from '@smithy/signature-v4';
import type { Item } from '../../local/memory/memory-table.ts';
import { whyTooLate } from './deadlines.ts';
import { connected, exchange, namedError } from './network.ts';
import type { OperationName, TableAnswer, TableError } from './simulated-dynamodb.ts';
import { currentProcess, here } from './virtual-time.ts';

/** The parts of a client's configuration that are replaced or reset. */
export interface ClientConfig {
  requestHandler: RequestHandler;
  readonly retryStrategy: () => Promise<object>;
  systemClockOffset: number;
}

interface RequestHandler {
  readonly handle: (request: HttpRequest, options?: HandlerOptions) => Promise<{ response: HttpResponse }>;
}

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface HandlerOptions {
  readonly abortSignal?: AbortSignal;
}

const clients = new Set<ClientConfig>();
const utf8 = new TextDecoder();

/** Makes the client of a simulated process send its HTTP requests to the simulated table. */
export function replaceHandler(config: ClientConfig): void {
  if (clients.has(config)) return;
  clients.add(config);
  const real = config.requestHandler;
  const handle: RequestHandler['handle'] = (request, options = {}) =>
    currentProcess() === undefined ? real.handle(request, options) : answerRequest(request, options);
  config.requestHandler = Object.assign(Object.create(real), { handle });
}

/** Resets the clients, so that state from earlier runs, such as their retry capacity, has no influence. */
export async function resetClients(): Promise<void> {
  clearCredentialCache();
  for (const config of clients) {
    config.systemClockOffset = 0;
    const strategy = (await config.retryStrategy()) as { capacity?: number };
    if (strategy.capacity === undefined) throw new Error("The SDK's retry strategy has no capacity");
    strategy.capacity = 500;
  }
}

async function answerRequest({ headers, body }: HttpRequest, { abortSignal }: HandlerOptions) {
  const late = whyTooLate();
  if (late !== undefined) connected().lateSends.push(late);
  const [, operation] = String(headers['x-amz-target']).split('.');
  const input = plain(JSON.parse(utf8.decode(body))) as object;
  const answer = await exchange(operation as OperationName, input, abortSignal);
  return { response: unreadable(answer) ?? httpAnswer(statusOf(answer), JSON.stringify(bodyOf(answer))) };
}

function statusOf(answer: TableAnswer): number {
  return 'output' in answer ? 200 : answer.error.status;
}

function bodyOf(answer: TableAnswer): object {
  return 'output' in answer ? (wire(answer.output) as object) : errorBody(answer.error);
}

function errorBody({ name, message, item, reasons }: TableError): object {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  const CancellationReasons = reasons?.map((reason) => wire(reason));
  return { __type, message, ...(item && { Item: attributes(item) }), ...(reasons && { CancellationReasons }) };
}

function httpAnswer(statusCode: number, text: string, contentType = 'application/x-amz-json-1.0'): HttpResponse {
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) };
  return new HttpResponse({ statusCode, headers, body: Readable.from([Buffer.from(text)]) });
}

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Returns what sometimes arrives instead of the response to a request that took effect. */
function unreadable(answer: TableAnswer): HttpResponse | undefined {
  const { world } = here();
  if (world.random() >= connected().network.unreadable) return undefined;
  const text = JSON.stringify(bodyOf(answer));
  const part = text.slice(0, Math.floor(world.random() * text.length));
  const kind = Math.floor(world.random() * 5);
  if (kind === 0) return httpAnswer(statusOf(answer), part);
  if (kind === 1) return httpAnswer(200, html, 'text/html');
  if (kind === 2) return httpAnswer(502, html, 'text/html');
  if (kind === 3) throw Object.assign(namedError('Error', 'read ECONNRESET'), { code: 'ECONNRESET' });
  return cutOff(part);
}

/** Returns a response whose connection closes early. */
function cutOff(part: string): HttpResponse {
  const body = new Readable({ read: () => undefined });
  body.push(Buffer.from(part));
  body.destroy();
  return new HttpResponse({ statusCode: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body });
}

const itemNames = new Set(['Key', 'Item', 'ExclusiveStartKey', 'LastEvaluatedKey', 'ExpressionAttributeValues']);
const listNames = new Set(['Keys', 'Items']);

/** Converts the items in a request's parameters to native JavaScript values, as the simulated table expects. */
function plain(value: unknown): unknown {
  return mapItems(value, unmarshall as (item: object) => object);
}

/** Converts the output of the simulated table to the wire format. */
function wire(value: unknown): unknown {
  return mapItems(value, attributes);
}

function attributes(item: Item | object): object {
  return marshall(item, { convertClassInstanceToMap: true, removeUndefinedValues: true });
}

function mapItems(value: unknown, change: (item: object) => object, name = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (itemNames.has(name)) return change(value);
  if (Array.isArray(value)) return value.map((each) => (listNames.has(name) ? change(each) : mapItems(each, change)));
  const isResponses = name === 'Responses';
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, mapItems(each, change, isResponses ? 'Items' : member)]),
  );
}
